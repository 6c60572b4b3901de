//! Questions about documents, and what the server can do.

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    CodeLensOptions, CodeLensParams, CompletionOptions, CompletionParams, DocumentSymbolParams,
    ExecuteCommandOptions, FoldingRangeParams, FoldingRangeProviderCapability,
    GotoDefinitionParams, HoverParams, HoverProviderCapability, OneOf, ReferenceParams,
    SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Url, WorkDoneProgressOptions,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Answered;
use crate::{ask::COMMAND, features::Features, position::Encoding};

/// Questions about documents.
pub(super) const METHODS: &[&str] = &[
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/codeAction",
];

pub(super) fn unknown_method(method: &str) -> (ErrorCode, String) {
    (
        ErrorCode::MethodNotFound,
        format!("there is no method {method}"),
    )
}

pub(super) fn document_of(params: &Value) -> Option<Url> {
    let uri = params.get("textDocument")?.get("uri")?.as_str()?;
    Url::parse(uri).ok()
}

pub(super) fn answer(features: &Features<'_>, method: &str, params: Value) -> Answered {
    match method {
        "textDocument/hover" => {
            let params: HoverParams = parse(params)?;
            value(features.hover(params.text_document_position_params.position))
        }
        "textDocument/definition" => {
            let params: GotoDefinitionParams = parse(params)?;
            value(features.definition(params.text_document_position_params.position))
        }
        "textDocument/references" => {
            let params: ReferenceParams = parse(params)?;
            let position = params.text_document_position.position;
            value(features.references(position, params.context.include_declaration))
        }
        "textDocument/documentSymbol" => {
            let _: DocumentSymbolParams = parse(params)?;
            value(features.outline())
        }
        "textDocument/foldingRange" => {
            let _: FoldingRangeParams = parse(params)?;
            value(features.folding())
        }
        "textDocument/codeLens" => {
            let _: CodeLensParams = parse(params)?;
            value(features.lenses())
        }
        "textDocument/completion" => {
            let params: CompletionParams = parse(params)?;
            value(features.completion(params.text_document_position.position))
        }
        "textDocument/codeAction" => {
            let params: CodeActionParams = parse(params)?;
            value(features.actions(params.range))
        }
        _ => Err(unknown_method(method)),
    }
}

pub(super) fn parse<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|cause| (ErrorCode::InvalidParams, cause.to_string()))
}

pub(super) fn value(result: impl Serialize) -> Answered {
    serde_json::to_value(result).map_err(|cause| (ErrorCode::InternalError, cause.to_string()))
}

pub(super) fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        completion_provider: Some(CompletionOptions::default()),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![COMMAND.to_owned()],
            work_done_progress_options: WorkDoneProgressOptions {
                work_done_progress: Some(true),
            },
        }),
        ..ServerCapabilities::default()
    }
}

//! The page: one text with its style and its script in it, which asks nobody for anything but what
//! the policy allows.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use sha2::{Digest, Sha256};

const TEMPLATE: &str = include_str!("../page/src/index.html");
const STYLE: &str = include_str!("../page/src/style.css");
const SCRIPT: &str = include_str!("../page/dist/explorer.js");

/// What a page may do: run its own script and style, and ask where it came from.
pub fn policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE),
    )
}

/// The page of a server, which asks it for the document.
pub fn page() -> String {
    fill("", "")
}

/// The page as one file, with the document in it.
///
/// # Errors
///
/// Those of the serialisation; a [`Document`](crate::Document) has none.
pub fn file(document: &impl Serialize) -> serde_json::Result<String> {
    // No `</script>` can stand in it then, nor anything else that ends it.
    let json = serde_json::to_string(document)?.replace('<', "\\u003c");
    let data = format!(r#"<script type="application/json" id="document">{json}</script>"#);
    let policy = policy();
    let meta = format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#);
    Ok(fill(&meta, &data))
}

fn fill(policy: &str, document: &str) -> String {
    let parts = [
        ("<!--policy-->", policy.to_owned()),
        ("<!--style-->", format!("<style>{STYLE}</style>")),
        ("<!--document-->", document.to_owned()),
        ("<!--script-->", format!("<script>{SCRIPT}</script>")),
    ];
    let mut rest = TEMPLATE;
    let mut out = String::with_capacity(TEMPLATE.len() + SCRIPT.len() + document.len());
    for (mark, text) in parts {
        // In the order of the template, so that no text that was put in is searched.
        if let Some((before, after)) = rest.split_once(mark) {
            out.push_str(before);
            out.push_str(&text);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_cannot_end_its_script() {
        let text = file(&"</script><script>alert(1)</script><!--").unwrap();
        assert!(text.contains(r"\u003c/script>\u003cscript>alert(1)"));
        assert!(!text.contains("<!--policy-->") && !text.contains("<!--document-->"));
        assert_eq!(text.matches("<script").count(), 2);
    }

    #[test]
    fn every_mark_of_the_template_is_filled() {
        let text = page();
        assert!(text.contains("<style>") && text.contains("<script>"));
        for mark in ["policy", "style", "document", "script"] {
            assert!(TEMPLATE.contains(&format!("<!--{mark}-->")), "{mark}");
        }
        assert!(!STYLE.contains("</style") && !SCRIPT.contains("</script"));
    }
}

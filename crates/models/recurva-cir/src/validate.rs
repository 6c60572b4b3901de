use crate::Module;
/// Why a module is not valid.
#[derive(Debug)]
pub struct Malformed;
/// Checks
pub fn validate(_: &Module) -> Result<(), Malformed> {
    Ok(())
}

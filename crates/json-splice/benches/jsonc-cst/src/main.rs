//! Removes one member of a JSON file with the jsonc-parser syntax tree: `jsonc-cst FROM TO KEY...`.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, path @ .., last] = arguments.as_slice() else {
        return Err("usage: jsonc-cst FROM TO KEY...".into());
    };
    let root = CstRootNode::parse(&std::fs::read_to_string(from)?, &ParseOptions::default())?;
    let mut object = root.object_value().ok_or("no object")?;
    for key in path {
        object = object.object_value(key).ok_or("no such member")?;
    }
    object.get(last).ok_or("no such member")?.remove();
    std::fs::write(to, root.to_string())?;
    Ok(())
}

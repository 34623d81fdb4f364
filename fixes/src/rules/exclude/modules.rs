//! Which modules of a checkpoint are quantized, by the siblings of their weights.

use unsnag_core::weights::Names;

/// Suffixes that only a quantized module stores.
const MARKS: [&str; 9] = [
    ".weight_scale",
    ".weight_scale_2",
    ".weight_scale_inv",
    ".weight_packed",
    ".qweight",
    ".scales",
    ".input_scale",
    ".weight_zero_point",
    ".absmax",
];

/// The module of a tensor `MODULE.weight` that is stored as it is, in 16 or 32 bit; norms and embeddings are no linear layers.
pub(super) fn plain_linear<'n>(name: &'n str, names: &Names<'_>) -> Option<&'n str> {
    let module = name.strip_suffix(".weight")?;
    let last = module.rsplit('.').next().unwrap_or(module);
    let linear =
        !last.contains("norm") && !last.starts_with("embed") && last != "wte" && last != "conv1d";
    (linear && !is_quantized(module, names)).then_some(module)
}

/// Whether a module stores what only quantized ones do.
pub(super) fn is_quantized(module: &str, names: &Names<'_>) -> bool {
    MARKS
        .iter()
        .any(|mark| names.has(&format!("{module}{mark}")))
}

/// Whether anything is quantized at all.
pub(super) fn any_quantized(names: &Names<'_>) -> bool {
    names.any(|name| MARKS.iter().any(|mark| name.ends_with(mark)))
}

/// The number of the layer in `...layers.12.mlp...`, with what stands before it.
pub(super) fn layer(module: &str) -> Option<(&str, u64)> {
    let at = module.find("layers.")? + "layers.".len();
    let (before, rest) = (module.get(..at)?, module.get(at..)?);
    Some((before, rest.split('.').next()?.parse().ok()?))
}

//! Names of GPUs as people and drivers write them, with their architecture.
//!
//! Source: NVIDIA's table of compute capabilities by product, AMD's table of gfx targets by product.

use super::gpu::Gpu;

/// Longer names first where one begins with another.
const SM: &[(&str, u16)] = &[
    ("b100", 100),
    ("b200", 100),
    ("gb200", 100),
    ("b300", 103),
    ("gb300", 103),
    ("gb10", 121),
    ("dgx spark", 121),
    ("rtx pro 6000", 120),
    ("rtx pro 5000", 120),
    ("rtx pro 4500", 120),
    ("rtx pro 4000", 120),
    ("rtx pro 2000", 120),
    ("rtx 5090", 120),
    ("rtx 5080", 120),
    ("rtx 5070", 120),
    ("rtx 5060", 120),
    ("rtx 5050", 120),
    ("jetson thor", 110),
    ("gh200", 90),
    ("h100", 90),
    ("h200", 90),
    ("h800", 90),
    ("h20", 90),
    ("l40s", 89),
    ("l40", 89),
    ("l20", 89),
    ("l4", 89),
    ("l2", 89),
    ("rtx 6000 ada", 89),
    ("rtx 5000 ada", 89),
    ("rtx 4500 ada", 89),
    ("rtx 4000 ada", 89),
    ("rtx 4090", 89),
    ("rtx 4080", 89),
    ("rtx 4070", 89),
    ("rtx 4060", 89),
    ("rtx 4050", 89),
    ("a100", 80),
    ("a800", 80),
    ("a30", 80),
    ("a40", 86),
    ("a10g", 86),
    ("a10", 86),
    ("a16", 86),
    ("a2", 86),
    ("rtx a6000", 86),
    ("rtx a5000", 86),
    ("rtx a4000", 86),
    ("rtx 3090", 86),
    ("rtx 3080", 86),
    ("rtx 3070", 86),
    ("rtx 3060", 86),
    ("rtx 3050", 86),
    ("jetson orin", 87),
    ("orin", 87),
    ("t4", 75),
    ("quadro rtx 8000", 75),
    ("quadro rtx 6000", 75),
    ("titan rtx", 75),
    ("rtx 2080", 75),
    ("rtx 2070", 75),
    ("rtx 2060", 75),
    ("v100", 70),
    ("titan v", 70),
    ("p100", 60),
    ("p40", 61),
];

const GFX: &[(&str, &str)] = &[
    ("mi355x", "gfx950"),
    ("mi350x", "gfx950"),
    ("mi325x", "gfx942"),
    ("mi300x", "gfx942"),
    ("mi300a", "gfx942"),
    ("mi250x", "gfx90a"),
    ("mi250", "gfx90a"),
    ("mi210", "gfx90a"),
    ("mi100", "gfx908"),
    ("rx 7900", "gfx1100"),
    ("w7900", "gfx1100"),
    ("rx 9070", "gfx1201"),
    ("strix halo", "gfx1151"),
];

/// Every name that can be looked up.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SM.iter()
        .map(|(name, _)| *name)
        .chain(GFX.iter().map(|(name, _)| *name))
}

/// Finds a name inside `word`: whole words, the longest that fits.
pub(super) fn lookup(word: &str) -> Option<Gpu> {
    let words = normalize(word);
    let fits = |name: &str| words.contains(&format!(" {name} "));
    let sm = SM
        .iter()
        .filter(|(name, _)| fits(name))
        .max_by_key(|(name, _)| name.len());
    if let Some((_, number)) = sm {
        return Some(Gpu::Sm(*number));
    }
    GFX.iter()
        .find(|(name, _)| fits(name))
        .map(|(_, gfx)| Gpu::Gfx((*gfx).to_owned()))
}

/// Lower case, single spaces, a space at both ends; `-` and `_` part words; `rtx4090` and `4090` are `rtx 4090`.
fn normalize(word: &str) -> String {
    let mut words = String::from(" ");
    for part in word
        .split(|c: char| c.is_whitespace() || c == '-' || c == '_')
        .filter(|part| !part.is_empty())
    {
        let part = part.to_lowercase();
        let digits = part.strip_prefix("rtx").unwrap_or(&part);
        let bare_number = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit());
        if bare_number && !words.contains(" rtx ") {
            words.push_str("rtx ");
        }
        let part = if bare_number {
            digits
        } else {
            part.trim_end_matches("ti")
        };
        words.push_str(if part.is_empty() { "ti" } else { part });
        words.push(' ');
    }
    words
}

//! What a person or a program sees: the human texts and the frozen JSON types.

pub mod card;
pub mod change;
pub mod diagnosis;
pub mod finding;
pub mod headline;
pub mod json;
pub mod page;
pub mod udiff;

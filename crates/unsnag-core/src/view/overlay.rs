//! Planned edits that have not been written: what each touched file would hold.

use std::collections::BTreeMap;

/// What a plan makes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// It holds these bytes.
    Bytes(Vec<u8>),
    /// It is taken out of the directory.
    Parked,
}

/// Files that a plan touches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    files: BTreeMap<String, Planned>,
}

impl Overlay {
    /// Plans a file's content.
    pub fn write(&mut self, file: &str, bytes: Vec<u8>) {
        self.files.insert(file.to_owned(), Planned::Bytes(bytes));
    }

    /// Plans that a file leaves.
    pub fn park(&mut self, file: &str) {
        self.files.insert(file.to_owned(), Planned::Parked);
    }

    /// The planned bytes, where there are some.
    #[must_use]
    pub fn bytes(&self, file: &str) -> Option<&[u8]> {
        match self.files.get(file) {
            Some(Planned::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Whether the file is to leave.
    #[must_use]
    pub fn parks(&self, file: &str) -> bool {
        self.files.get(file) == Some(&Planned::Parked)
    }

    /// The files that get planned bytes.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .filter(|(_, planned)| matches!(planned, Planned::Bytes(_)))
            .map(|(file, _)| file.as_str())
    }

    /// Every touched file.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Planned)> {
        self.files
            .iter()
            .map(|(file, planned)| (file.as_str(), planned))
    }
}

import LocalSystem

/// The result of reading the catalogue.
package enum CatalogueReading: Sendable {
    case whole(Catalogue)
    /// From this byte on, lines are missing or bad. The entries are valid for trips whose journal is still
    /// the file they describe.
    case damaged(Catalogue, offset: Int)
    case missing

    /// Reads the catalogue of a data directory. Blocks on the disk.
    ///
    /// - Throws: if the system fails.
    package init(in directory: String, _ fileSystem: any FileSystem) throws(SystemError) {
        let path = Catalogue.path(in: directory)
        switch try fileSystem.status(path)?.kind {
        case nil: self = .missing
        case .regular:
            let bytes = try OpenFile(path, .read, in: fileSystem).readAll()
            let scan = CatalogueScan(bytes)
            if let offset = scan.firstBad {
                self = .damaged(Catalogue(scan.entries, in: directory, fileSystem), offset: offset)
            } else {
                self = .whole(Catalogue(scan, end: bytes.count, in: directory, fileSystem))
            }
        case .directory, .symbolicLink, .socket, .other:
            self = .damaged(Catalogue(in: directory, fileSystem), offset: 0)
        }
    }
}

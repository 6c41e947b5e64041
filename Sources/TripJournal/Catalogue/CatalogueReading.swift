import LocalSystem

/// What is found where the catalogue should be.
package enum CatalogueReading: Sendable {
    case whole(Catalogue)
    /// The file is there but not as it was written: from this byte on, lines are missing or bad. What the others say
    /// of a trip holds where the trip's journal still is the file that they mean.
    case damaged(Catalogue, offset: Int)
    case missing

    /// Reads the catalogue of a data directory. Blocks on the disk.
    ///
    /// - Throws: where the system fails.
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

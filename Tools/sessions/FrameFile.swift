import TerminalCore

/// The expected frames of a session as text, each below a line `== NAME`.
package enum FrameFile {
    /// The content of the file for these frames.
    package static func text(of pictures: [SessionRun.Picture]) -> String {
        var text = ""
        for picture in pictures {
            let bells = picture.bells == 0 ? "" : picture.bells == 1 ? ", a bell" : ", \(picture.bells) bells"
            text += "== \(picture.name)\(bells)\n"
            text += (picture.isStyled ? picture.frame.styledText : picture.frame.text) + "\n"
        }
        return text
    }
}

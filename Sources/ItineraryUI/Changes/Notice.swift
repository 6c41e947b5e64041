/// A message that the user must acknowledge before keys apply.
struct Notice: Sendable {
    /// The mode after it.
    enum Next: Sendable {
        case list
        /// A form whose change failed, with its text.
        case form(TripForm)
        /// A list to choose from.
        case chooser(Chooser)
    }

    let sentence: String
    var next = Next.list
    /// The time after which a key acknowledges it; earlier ones were typed for something else.
    var readFrom = Duration.zero
}

extension EditorState {
    /// Holds keys until the user has acknowledged a message.
    mutating func beginAcknowledging(_ sentence: String) {
        begin(options.isByLines ? .browsing : .acknowledging(Notice(sentence: sentence)))
        refuse(sentence)
    }

    /// Returns to an earlier mode after a failure. Keys typed for the failed screen are dropped.
    mutating func comeBack(to next: Notice.Next, saying sentence: String) {
        let notice = Notice(sentence: sentence, next: next, readFrom: now + UnexpectedChanges.time)
        // Lines that were typed ahead have been dropped already.
        begin(options.isByLines ? mode(behind: notice) : .acknowledging(notice))
        refuse(sentence)
    }

    mutating func acknowledge(_ notice: Notice) {
        guard now >= notice.readFrom else { return refuse(notice.sentence) }
        begin(mode(behind: notice))
    }

    private func mode(behind notice: Notice) -> Mode {
        switch notice.next {
        case .list: .browsing
        case .form(let form): .planning(form)
        case .chooser(let chooser): .choosing(chooser)
        }
    }
}

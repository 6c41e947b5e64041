/// What the user has to read before the next key counts.
struct Notice: Sendable {
    /// What is there when it is read.
    enum Next: Sendable {
        case list
        /// A form whose change was not made, with all that was written.
        case form(TripForm)
        /// A list to choose from.
        case chooser(Chooser)
    }

    let sentence: String
    var next = Next.list
    /// From when on a key is meant for this: those before were typed for something else.
    var readFrom = Duration.zero
}

extension EditorState {
    /// Lets keys wait until the user has seen what happened.
    mutating func beginAcknowledging(_ sentence: String) {
        begin(options.isByLines ? .browsing : .acknowledging(Notice(sentence: sentence)))
        refuse(sentence)
    }

    /// Comes back to where the user was before something that has failed: what was typed for what did not come is for
    /// nothing else, also where it is still on its way.
    mutating func comeBack(to next: Notice.Next, saying sentence: String) {
        let notice = Notice(sentence: sentence, next: next, readFrom: now + Surprises.time)
        // Lines that were typed ahead have been taken away already.
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

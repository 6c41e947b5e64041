import TripModel

/// What begins to move, and when. With reduced motion nothing does.
extension EditorState {
    /// The item is grabbed: one step until it is raised, and its handle flashes.
    mutating func animateLift() {
        guard !options.reduceMotion else { return }
        motion.lift = Steps(start: now, interval: Motion.liftTime, count: 1)
        if options.feedback.isVisible { motion.grabFlash = flash }
    }

    /// The lifted item goes from one gap to another: the rows between step aside.
    mutating func animateShuffle(from old: Int, to new: Int) {
        guard !options.reduceMotion else { return }
        motion.shuffle = Motion.Shuffle(
            steps: Steps(start: now, interval: Motion.shuffleFrame, count: Motion.shuffleFrames),
            rows: min(old, new)..<max(old, new))
    }

    /// An item is put down: its background fades.
    mutating func settle(_ id: ItemID) {
        guard !options.reduceMotion, options.feedback.isVisible else { return }
        let stages = theme.fade.count
        motion.fade = Motion.Fade(
            steps: Steps(start: now, interval: Motion.fadeTime / stages, count: stages), item: id)
    }

    /// An item returns from where it may not be; a toast keeps the reason.
    mutating func snapBack(_ drag: Drag, _ reason: String) {
        guard !options.reduceMotion else { return }
        show(.reason(reason))
        // Only what is in focus is seen to go home: elsewhere the reason says enough.
        guard let id = drag.existing?.id, board?.item?.id == id else { return }
        motion.snapBack = Motion.SnapBack(
            steps: Steps(start: now, interval: Motion.snapBackFrame, count: Motion.snapBackFrames),
            item: id, boundary: drag.boundary, reason: reason)
    }

    /// What others have changed is marked for some seconds; with reduced motion until the next key.
    mutating func showNewsForAWhile() {
        guard !options.reduceMotion, !newsMarks.isEmpty else { return }
        motion.news = Steps(start: now, interval: Motion.newsTime, count: 1)
    }

    mutating func animateRefusal() {
        if !options.reduceMotion, options.feedback.isVisible { motion.refusalFlash = flash }
    }

    /// A change can be taken back: a toast says so for some seconds.
    mutating func offerUndo() {
        guard let key = keys.advertisedKey(of: .undo, in: .list) else { return }
        show(.undo(key: key.description))
    }

    private mutating func show(_ kind: Toast.Kind) {
        if !options.reduceMotion { motion.toast = Toast(kind, now: now) }
    }

    private var flash: Steps { Steps(start: now, interval: Motion.flashTime, count: 1) }
}

import JSONLine
import TripModel
import TripProtocol

/// A request that changes nothing: it may be sent any number of times.
package enum Question: Equatable, Sendable {
    /// The trip's changes, the newest first.
    case history(before: Int?, since: HistoryRequest.Since?, limit: Int?)
    /// The result that edits would have.
    case dryRun([Edit])
}

/// A question that is not answered.
struct OpenQuestion: Sendable {
    let intent: Int
    let question: Question
    let options: LiveChangeOptions
    let deadline: Duration?
    var isSent = false
}

/// Questions: they are sent behind the changes before them, and again on the next connection.
extension LiveTripCore {
    /// Questions that may wait for an answer.
    private static let maximumQuestions = 64
    /// Questions under way at a time.
    private static let questionsUnderWay = 8

    mutating func ask(_ question: Question, _ intent: Int, _ options: LiveChangeOptions) {
        if case .ended(let error) = connection { return settle(intent, .failed(error)) }
        guard questions.count < Self.maximumQuestions else {
            return settle(
                intent,
                .failed(.unreachable("\(Self.maximumQuestions) questions wait for the daemon already")))
        }
        let open = OpenQuestion(
            intent: intent, question: question, options: options,
            deadline: options.timeout.map { now + $0 })
        let size = request(for: open).line(id: .number(.max)).count
        let limit = welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        guard size <= limit else {
            return settle(
                intent, .failed(.notMade("it takes \(size) bytes, and the daemon takes \(limit)")))
        }
        questions.append(open)
        pump()
    }

    /// Sends questions, unless a change before them is not sent yet.
    mutating func askQuestions() {
        guard !questions.isEmpty, bringing == nil, !pending.contains(where: { $0.phase == .waiting }) else {
            return
        }
        var underWay = questions.count(where: \.isSent)
        for index in questions.indices where !questions[index].isSent && underWay < Self.questionsUnderWay {
            questions[index].isSent = true
            underWay += 1
            send(request(for: questions[index]), expecting: .question(intent: questions[index].intent))
        }
    }

    private func request(for open: OpenQuestion) -> Request {
        switch open.question {
        case .history(let before, let since, let limit):
            return .history(HistoryRequest(trip: reference, before: before, since: since, limit: limit))
        case .dryRun(let edits):
            let options = ChangeOptions(
                ifVersion: open.options.ifVersion, ifItemVersion: open.options.ifItemVersion, isDryRun: true)
            let method = edits.count == 1 ? edits[0].method : .apply
            return .change(ChangeRequest(method: method, trip: reference, edits: edits, options: options))
        }
    }

    mutating func answered(_ intent: Int, _ answer: Result<JSONNode, RemoteError>) {
        guard let index = questions.firstIndex(where: { $0.intent == intent }) else { return }
        let question = questions.remove(at: index).question
        do throws(WireError) {
            switch (answer, question) {
            case (.failure(let error), _): settle(intent, .failed(.refused(error)))
            case (.success(let result), .history):
                settle(intent, .history(try HistoryEntry.list(result: result)))
            case (.success(let result), .dryRun): settle(intent, .changed(try ChangeResult(result: result)))
            }
        } catch {
            settle(intent, .failed(.garbled(error.message)))
        }
        pump()
    }

    /// Ends all questions, as no answer will come.
    mutating func failQuestions(_ error: ClientError) {
        for question in questions { settle(question.intent, .failed(error)) }
        questions = []
    }
}

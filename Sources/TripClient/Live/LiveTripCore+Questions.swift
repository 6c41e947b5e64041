import JSONLine
import TripModel
import TripProtocol

/// A request without side effects: it may be sent repeatedly.
package enum Question: Equatable, Sendable {
    /// The trip's changes, newest first.
    case history(before: Int?, since: HistoryRequest.Since?, limit: Int?)
    /// The result of edits.
    case dryRun([Edit])
}

/// A request that is not answered yet.
struct OpenQuestion: Sendable {
    let intent: Int
    let question: Question
    let options: LiveTrip.ChangeOptions
    let deadline: Duration?
    var isSent = false
}

/// Requests without side effects are sent after earlier changes, and again on the next connection.
extension LiveTripCore {
    /// Maximum number of unanswered questions.
    private static let maximumQuestions = 64
    /// Maximum number of questions in flight.
    private static let questionsInFlight = 8

    mutating func ask(_ question: Question, _ intent: Int, _ options: LiveTrip.ChangeOptions) {
        if case .ended(let error) = connection { return resolve(intent, .failed(error)) }
        guard questions.count < Self.maximumQuestions else {
            return resolve(
                intent,
                .failed(.unreachable("\(Self.maximumQuestions) requests already wait for the daemon")))
        }
        let open = OpenQuestion(
            intent: intent, question: question, options: options,
            deadline: options.timeout.map { now + $0 })
        let size = request(for: open).line(id: .number(.max)).count
        let limit = link.welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        guard size <= limit else {
            return resolve(
                intent, .failed(.notMade("it has \(size) bytes, and the daemon accepts at most \(limit)")))
        }
        questions.append(open)
        pump()
    }

    /// Sends questions, unless an earlier change is not sent yet.
    mutating func askQuestions() {
        guard !questions.isEmpty, link.upload == nil, !pending.contains(where: { $0.phase == .waiting })
        else {
            return
        }
        var inFlight = questions.count(where: \.isSent)
        for index in questions.indices where !questions[index].isSent && inFlight < Self.questionsInFlight {
            questions[index].isSent = true
            inFlight += 1
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
            case (.failure(let error), _): resolve(intent, .failed(.refused(error)))
            case (.success(let result), .history):
                resolve(intent, .history(try HistoryEntry.list(result: result)))
            case (.success(let result), .dryRun): resolve(intent, .changed(try ChangeResult(result: result)))
            }
        } catch {
            resolve(intent, .failed(.garbled(error.message)))
        }
        pump()
    }

    /// Ends all questions, because no answer will arrive.
    mutating func failQuestions(_ error: ClientError) {
        for question in questions { resolve(question.intent, .failed(error)) }
        questions = []
    }
}

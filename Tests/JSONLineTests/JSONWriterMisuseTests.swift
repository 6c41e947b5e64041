#if DEBUG
import JSONLine
import Testing

/// Misuse of the writer traps in builds with assertions, instead of producing invalid JSON.
@Suite struct JSONWriterMisuseTests {
    @Test func aValueInAnObjectNeedsAKey() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.value(1)
        }
    }

    @Test func aKeyNeedsAnObject() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            writer.key("a")
        }
    }

    @Test func aKeyNeedsAValue() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("a")
            writer.endObject()
        }
    }

    @Test func anEndFitsItsBeginning() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.endArray()
        }
    }

    @Test func aLineHoldsOneValue() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.value(1)
            writer.value(2)
        }
    }

    @Test func infinityHasNoText() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.value(Double.infinity)
        }
    }
}
#endif

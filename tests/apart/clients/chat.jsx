// A chat page as LangChain's own hook makes it: nothing in it was written for Daybook, but for the
// approval, which is langchain's human-in-the-loop request.
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token");

function Chat() {
  const [text, setText] = useState("");
  const thread = useStream({
    apiUrl: given.get("server"),
    assistantId: "shop",
    defaultHeaders: token ? { Authorization: `Bearer ${token}` } : {},
  });
  const context = { user_id: given.get("user") };
  const say = (event) => {
    event.preventDefault();
    thread.submit({ messages: [{ type: "human", content: text }] }, { context });
    setText("");
  };
  const answer = (decision) =>
    thread.submit(undefined, {
      context,
      command: { resume: { decisions: [decision], approval_id: question.approval_id } },
    });
  const question = thread.interrupt?.value;
  return (
    <main aria-busy={thread.isLoading}>
      <ol>
        {thread.messages.map((message) => (
          <li key={message.id} className={message.type}>{message.content}</li>
        ))}
      </ol>
      {thread.error ? <p role="alert">{String(thread.error)}</p> : null}
      {question ? (
        <section aria-label="Approval">
          <pre>{question.action_requests[0].description}</pre>
          <button onClick={() => answer({ type: "approve" })}>Approve</button>
          <button onClick={() => answer({ type: "reject", message: "too dear" })}>Reject</button>
        </section>
      ) : null}
      <form onSubmit={say}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button>Send</button>
      </form>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Chat />);

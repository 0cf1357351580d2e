import { type Topic, topic as topicShape } from '../../api/routes/live.ts';
import { Refused } from '../http/problem.ts';
import { LiveClient } from './client.ts';
import type { Hub } from './hub.ts';
import type { Interest } from './interest.ts';

const COMMENT_MS = 15_000;
const MOST_TOPICS = 64;

/** The same events for scripts, as a stream that any HTTP client can read. */
export function eventStream(
  hub: Hub,
  interest: Interest,
  { topics: written, after }: { readonly topics: string; readonly after: string | undefined },
): Response {
  const topics = topicsIn(written);
  const covered = interest.add(topics);
  let unsent = 0;
  let client: LiveClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(timer);
    client?.close();
    interest.remove(topics);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => {
          controller.enqueue(Buffer.from(text));
          unsent = Math.max(0, -(controller.desiredSize ?? 0));
        };
        client = new LiveClient(hub, {
          events: (events) => {
            for (const { id, text } of events) write(`id: ${id}\ndata: ${text}\n\n`);
          },
          say: (message) => write(`event: ${Object.keys(message)[0]}\ndata: ${JSON.stringify(message)}\n\n`),
          unsent: () => unsent,
          close: () => {
            end();
            controller.close();
          },
        });
        write(`event: hello\ndata: ${JSON.stringify({ hello: { boot: hub.boot, at: hub.at } })}\n\n`);
        client.watch(topics, after === undefined ? undefined : { after, covered });
        timer = setInterval(() => write(': still here\n\n'), COMMENT_MS);
        timer.unref();
      },
      pull() {
        unsent = 0;
      },
      cancel: end,
    },
    { highWaterMark: 64 * 1024, size: (chunk) => chunk.byteLength },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function topicsIn(written: string): Topic[] {
  const words = written.split(',').filter((word) => word !== '');
  const topics = words.map((word) => topicShape.safeParse(word));
  const known = topics.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (known.length < words.length || known.length === 0 || known.length > MOST_TOPICS)
    throw new Refused('invalid', 'Name the topics to follow, such as overview or backlog.');
  return [...new Set(known)];
}

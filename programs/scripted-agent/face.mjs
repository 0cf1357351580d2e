// The two faces of the player: JSON lines for a program, text on a terminal for a person.
import { createInterface } from 'node:readline';

const put = (text) => new Promise((done) => process.stdout.write(text, () => done()));

/** Lines of standard input, one at a time; undefined after the last. */
function lineReader() {
  let lines;
  return async () => {
    lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : value;
  };
}

export function headlessFace() {
  const nextLine = lineReader();
  const emit = (event) => put(`${JSON.stringify(event)}\n`);
  return {
    emit,
    flood: put,
    async ask(id, question, choices) {
      await emit({ type: 'asked', id, question, choices });
      for (;;) {
        const line = await nextLine();
        if (line === undefined) return undefined;
        const answer = JSON.parse(line);
        if (answer.type === 'answer' && answer.id === id) return answer.text;
      }
    },
  };
}

const WORKING = '[working]';
const ERASE = '\r\u001B[K';

export function terminalFace() {
  const nextLine = lineReader();
  const print = (text) => put(`${ERASE}${text}\r\n${WORKING}`);
  return {
    flood: put,
    async emit(event) {
      if (event.type === 'text') await print(event.text);
      else if (event.type === 'file') await print(`* ${event.change} ${event.path}`);
      else if (event.type === 'denied') await print(`! ${event.tool} was denied: ${event.reason}`);
      else if (event.type === 'retrying') await print(`! retrying: ${event.reason}`);
      else if (event.type === 'error') await print(`! ${event.message}`);
    },
    async ask(_id, question, choices) {
      const listed = choices.map((choice, at) => `  ${at + 1}. ${choice}\r\n`).join('');
      await put(`${ERASE}? ${question}\r\n${listed}answer> `);
      const line = await nextLine();
      await put(WORKING);
      return choices[Number(line) - 1] ?? line;
    },
    async begin() {
      await put(`${ERASE}${WORKING}`);
    },
    async nextTask() {
      await put(`${ERASE}task> `);
      return nextLine();
    },
  };
}

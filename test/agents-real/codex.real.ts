import { listPrice } from '../../src/agents/pricing/price.ts';
import { everyScenario } from './scenarios/every.ts';

const MODEL = 'gpt-5.4';

everyScenario({
  cli: 'codex',
  facts: {
    session: 'thread.started carries the thread_id',
    write: 'a command in the workspace-write sandbox is carried out; its item is completed with exit_code 0',
    result: 'turn.completed ends the run, the last agent_message before it is the final text; it exits 0',
    model: '-m names the model that is called',
    usage: 'turn.completed.usage is what the model reported',
    cost: 'it tells no cost',
    resume: 'exec resume ID continues the conversation under the same thread_id',
    'resume-usage': 'after a resume, turn.completed.usage is of the whole thread',
    denied: 'a command that the sandbox stops is not told at all: it has no item, and codex exits 0',
    read: 'in the read-only sandbox a command that writes fails, and it exits 0',
    recovery: 'a 429 with retry-after is tried again, told by an error "Reconnecting... 1/1"',
    quota: 'insufficient_quota fails at once: "Quota exceeded.", and names no time',
    'quota-reset': 'a spent plan says "try again at" and a time, in turn.failed',
    auth: 'a refused key ends in turn.failed with "401 Unauthorized"',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question:
      'before a command outside the sandbox its screen asks "Would you like to run the following command?"',
    yes: 'the key 1 says yes to the question',
    no: 'the key of the last choice, No, says no to the question',
    'stream-question': 'it has no channel to ask on',
  },
  tool: 'shell',
  model: { name: MODEL, called: MODEL },
  cost: (tokens) => ({ by: 'table', usd: listPrice(MODEL, tokens) }),
  deniedTool: undefined,
  recovery: { scenario: '429-after-1-times-1', told: true },
  quota: { scenario: 'quota', reset: 'unknown' },
  // It tells the time of day in minutes.
  quotaWithReset: { scenario: 'usage', reset: { withinMs: 60_000 } },
  silenceMs: 8000,
  terminal: {
    prompt: '[ask] FILE=a.txt CONTENT=word write it',
    settings: { permissions: 'edits' },
    question: /Would you like to run the following command\?/,
    yes: 'y',
    no: 'no',
  },
  asksOnItsStream: false,
});

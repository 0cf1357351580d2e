import { listPrice } from '../../src/agents/pricing/price.ts';
import { everyScenario } from './scenarios/every.ts';

const MODEL = 'gemini-2.5-flash';

everyScenario({
  cli: 'gemini',
  facts: {
    session: 'init carries the session_id',
    write: 'write_file with --approval-mode auto_edit is carried out; a tool_result follows',
    result: 'the last line is a result with status success; the text is in the message deltas; it exits 0',
    model: '-m names the model that is called',
    usage: 'result.stats is what the models reported for this run, the one that chooses the model included',
    cost: 'it tells no cost',
    resume: '--resume continues the conversation under the same session_id',
    'resume-usage': 'after a resume, result.stats is of this run',
    denied: 'a write outside the folder is an error "Path not in workspace", and it exits 0',
    read: 'without approval the tools that write are not offered to the model, and it exits 0',
    recovery: 'a 429 is tried again, told by "Attempt 1 failed with status 429" on standard error',
    quota: 'a daily quota fails at once: "exhausted your daily quota"',
    'quota-reset': 'a daily quota is told as one, whatever its retry delay says',
    auth: 'a refused key ends in a result with status error and "API key not valid"',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind when its group is ended',
    question: 'before a command its screen asks "Allow execution of [...]?"',
    yes: 'the key 1 says yes to the question',
    no: 'the key of the last choice, No, says no to the question',
    'stream-question':
      'session/request_permission of ACP asks before a write; a rejected tool is not told of again, and it exits 0 when its input is closed',
    'resume-across': '--resume continues a session of ACP; session/load would overwrite one',
    'resume-terminal': '--resume continues a headless conversation on a terminal',
  },
  tool: 'write_file',
  model: { name: MODEL, called: MODEL },
  cost: (tokens) => ({ by: 'table', usd: listPrice(MODEL, tokens) }),
  deniedTool: 'write_file',
  recovery: { scenario: '429-times-1', told: true },
  quota: { scenario: 'quota', reset: 'midnight in California' },
  quotaWithReset: { scenario: 'usage', reset: 'midnight in California' },
  silenceMs: 12_000,
  terminal: {
    prompt: '[shell] FILE=a.txt CONTENT=word write it',
    settings: { permissions: 'ask' },
    question: /Allow execution of/,
    yes: 'Allow once',
    no: 'no',
  },
  continuesOnItsTerminal: true,
  continuesInADialogue: false,
  countsAtItsEnd: true,
  tellsTheWait: true,
});

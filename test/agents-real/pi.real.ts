import { PI_PRICE } from './homes/pi.ts';
import { everyScenario } from './scenarios/every.ts';

const NOT_ASKED = 'it asks for no permission: its tools are chosen when it starts';
const NO_TERMINAL = 'its terminal asks nothing, so the adapter runs it headless only';

everyScenario({
  cli: 'pi',
  facts: {
    session: 'the first line is the session with its id',
    write: 'the tools of --tools are carried out, told by tool_execution_start and _end',
    result: 'the last assistant message has the stopReason stop and the final text; it exits 0',
    model: '--model provider/id names the model that is called',
    usage: 'the usage of each assistant message is what the model reported; cached tokens come on top',
    cost: 'usage.cost.total is the tokens at the prices of its models.json',
    resume: '--session ID continues the conversation under the same id',
    'resume-usage': 'after a resume, the messages of this run alone are told',
    denied: 'it denies nothing',
    read: '--tools takes the tools that write away from the model, and it exits 0',
    recovery: 'a 429 is tried again, told by auto_retry_start',
    quota: 'a spent quota is tried again, then told by stopReason error; it exits 0',
    'quota-reset': 'a spent plan is told in words, without a time',
    auth: 'a refused key is told by stopReason error and "401 ..."; it exits 0',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question: NOT_ASKED,
    yes: NOT_ASKED,
    no: NOT_ASKED,
    'stream-question': NOT_ASKED,
    'resume-across': NOT_ASKED,
    'resume-terminal': NO_TERMINAL,
  },
  tool: 'write',
  model: { name: 'loopback/other-model', called: 'other-model' },
  cost: ({ input, cached, output }) => ({
    by: 'cli',
    usd: ((input - cached) * PI_PRICE.input + cached * PI_PRICE.cacheRead + output * PI_PRICE.output) / 1e6,
  }),
  deniedTool: 'write',
  recovery: { scenario: '429-times-1', told: true },
  quota: { scenario: 'quota', reset: 'unknown' },
  quotaWithReset: { scenario: 'usage', reset: 'unknown' },
  silenceMs: 6000,
  terminal: { prompt: '', settings: {}, question: /never/, yes: '', no: '' },
  continuesOnItsTerminal: false,
  continuesInADialogue: false,
  lacks: {
    'is denied a tool': NOT_ASKED,
    'continues on its terminal': NO_TERMINAL,
    'takes a yes on its terminal': NOT_ASKED,
    'takes a no on its terminal': NOT_ASKED,
    'asks on its stream': NOT_ASKED,
    'continues across permissions': NOT_ASKED,
  },
});

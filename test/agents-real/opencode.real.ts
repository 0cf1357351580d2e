import { OPENCODE_PRICE } from './homes/opencode.ts';
import { everyScenario } from './scenarios/every.ts';

everyScenario({
  cli: 'opencode',
  facts: {
    session: 'every line carries the sessionID',
    write: 'edits are allowed by default; tool_use is told when it is completed',
    result: 'the last step_finish has reason stop, the text before it is the final text; it exits 0',
    model: '-m provider/model names the model that is called',
    usage: 'the sum of step_finish.tokens is what the model reported, without the call that makes a title',
    cost: 'the sum of step_finish.cost is the tokens at the prices of the configuration',
    resume: '-s ID continues the conversation under the same sessionID',
    'resume-usage': 'after a resume, step_finish tells each step of this run',
    denied: 'a write outside the folder is rejected, told by the tool_use, and it exits 0',
    read: 'a permission of "deny" takes the tools that write away from the model, and it exits 0',
    recovery: 'a 429 is tried again, told by a "stream error" in its log only',
    quota: 'insufficient_quota is tried again for more than a minute in silence, then told with its body',
    'quota-reset':
      'a spent plan is tried again in silence, then told with the body that says when it is there again',
    auth: 'a refused key ends in an error with statusCode 401',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question: 'before a command its screen asks "Permission required"',
    yes: 'Enter says yes to the question, "Allow once" is marked',
    no: 'Reject is the third choice of a row that the arrow keys go through',
    'stream-question':
      'session/request_permission of ACP asks before a write; a rejected tool has failed, and it exits 0 when its input is closed',
    'resume-across':
      'run -s continues a session of ACP, and session/resume one of run; usage_update.cost is of the whole session',
    'resume-terminal':
      '-s ID opens a conversation on a terminal, but then --prompt is not sent: we refuse it',
  },
  tool: 'write',
  counts: (call) => call.tools.length > 0,
  model: { name: 'loopback/other-model', called: 'other-model' },
  cost: ({ input, cached, output }) => ({
    by: 'cli',
    usd: ((input - cached) * OPENCODE_PRICE.input + output * OPENCODE_PRICE.output) / 1e6,
  }),
  deniedTool: 'write',
  recovery: { scenario: '429-times-1', told: true },
  quota: { scenario: 'quota-after-0', reset: 'unknown' },
  quotaWithReset: { scenario: 'usage-after-0', reset: { withinMs: 1000 } },
  silenceMs: 30_000,
  terminal: {
    prompt: '[shell] FILE=a.txt CONTENT=word write it',
    settings: { permissions: 'ask' },
    question: /Permission required/,
    yes: 'Allow once',
    no: 'Reject',
  },
  continuesOnItsTerminal: false,
  continuesInADialogue: true,
});

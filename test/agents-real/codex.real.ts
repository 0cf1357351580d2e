import { listPrice } from '../../src/agents/pricing/price.ts';
import { everyScenario } from './scenarios/every.ts';

const MODEL = 'gpt-5.4';

everyScenario({
  cli: 'codex',
  facts: {
    session: 'thread/start answers with the id of the thread',
    write: 'a command in the workspace-write sandbox is carried out; its item is completed with exitCode 0',
    result:
      'turn/completed ends the run, the last agentMessage before it is the final text; it exits 0 when its input is closed',
    model: 'the model of thread/start is the one that is called',
    usage: 'thread/tokenUsage/updated is what the model reported',
    cost: 'it tells no cost',
    resume: 'thread/resume continues the conversation under the same id',
    'resume-usage': 'after a resume, thread/tokenUsage/updated is of the whole thread',
    denied:
      'with granular approvals a command that the sandbox stops is asked for, "command failed; retry without sandbox?"; its item is declined; one that ran for a while has failed with the words of the system; and it exits 0',
    read: 'in the read-only sandbox a command that writes is asked for and declined, and it exits 0',
    recovery: 'a 429 with retry-after is tried again, told by an error with willRetry',
    quota: 'insufficient_quota fails at once: "Quota exceeded.", and names no time',
    'quota-reset': 'a spent plan is usageLimitExceeded, account/rateLimits/updated says when it begins anew',
    auth: 'a refused key ends in a failed turn with httpStatusCode 401',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question:
      'before a command outside the sandbox its screen asks "Would you like to run the following command?"',
    yes: 'the key 1 says yes to the question',
    no: 'the key of the last choice, No, says no to the question',
    'stream-question':
      'with the approvals untrusted, requestApproval asks before a command that is not known to be harmless; decline is told by the item, and it exits 0',
    'resume-across': 'a thread is resumed with other permissions',
    'resume-terminal': 'codex resume ID continues a thread of the app-server on a terminal',
  },
  tool: 'shell',
  // It echoes its prompt twice to an output that does not wait for its reader: two of these fit into what the system keeps.
  longestPrompt: 80_000,
  model: { name: MODEL, called: MODEL },
  cost: (tokens) => ({ by: 'table', usd: listPrice(MODEL, tokens) }),
  deniedTool: 'shell',
  recovery: { scenario: '429-after-1-times-1', told: true },
  quota: { scenario: 'quota', reset: 'unknown' },
  quotaWithReset: { scenario: 'usage', reset: { withinMs: 0 } },
  silenceMs: 8000,
  terminal: {
    prompt: '[ask] FILE=a.txt CONTENT=word write it',
    settings: { permissions: 'edits' },
    question: /Would you like to run the following command\?/,
    yes: 'y',
    no: 'no',
  },
  continuesOnItsTerminal: true,
  continuesInADialogue: true,
  tellsTheWait: true,
});

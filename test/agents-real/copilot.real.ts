import { everyScenario } from './scenarios/every.ts';

const NO_TERMINAL = 'the adapter runs it over ACP only: how its screen asks was not measured';

everyScenario({
  cli: 'copilot',
  facts: {
    session: 'session/new of ACP answers with the sessionId',
    write: 'create with --allow-tool=write is carried out, told by tool_call and tool_call_update',
    result: 'session/prompt is answered with end_turn; it exits 0 when its input is closed',
    model: '--model names the model that is called',
    usage:
      'the usage of the answer to session/prompt is what the model reported; cached is part of the input',
    cost: 'it tells no cost',
    resume: 'session/load continues the conversation',
    'resume-usage': 'after a resume, usage is of this run',
    denied: 'a write outside the folder asks for permission, and is refused',
    read: '--deny-tool keeps it from writing, and it exits 0',
    recovery: 'a 429 is tried again, in silence',
    quota: 'a spent quota is tried again in silence, then told as what the agent says, with end_turn',
    'quota-reset': 'as any spent quota',
    auth: 'a refused key is told as what the agent says: "Error: Authentication failed", with end_turn',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question: NO_TERMINAL,
    yes: NO_TERMINAL,
    no: NO_TERMINAL,
    'stream-question': 'session/request_permission asks before a write; a rejected tool has failed',
    'resume-across': 'every permission is over ACP',
    'resume-terminal': NO_TERMINAL,
  },
  tool: 'create',
  model: { name: 'other-model', called: 'other-model' },
  cost: () => ({ by: 'none' }),
  deniedTool: 'create',
  recovery: { scenario: '429-times-1', told: false },
  quota: { scenario: 'quota', reset: 'unknown' },
  quotaWithReset: { scenario: 'usage', reset: 'unknown' },
  silenceMs: 8000,
  terminal: { prompt: '', settings: {}, question: /never/, yes: '', no: '' },
  continuesOnItsTerminal: false,
  continuesInADialogue: true,
  countsAtItsEnd: true,
  lacks: {
    'continues on its terminal': NO_TERMINAL,
    'takes a yes on its terminal': NO_TERMINAL,
    'takes a no on its terminal': NO_TERMINAL,
  },
});

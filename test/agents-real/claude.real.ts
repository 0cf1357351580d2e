import { everyScenario } from './scenarios/every.ts';

everyScenario({
  cli: 'claude',
  facts: {
    session: 'system/init carries the session_id',
    write: 'a Write with acceptEdits is carried out; its tool_result follows as a user line',
    result: 'the last line is a result with is_error false and the final text; it exits 0',
    model: '--model names the model that is called',
    usage: 'result.usage is what the model reported for this run',
    cost: 'result.total_cost_usd is what the conversation has cost',
    resume: '--resume continues the conversation under the same session_id',
    'resume-usage': 'after a resume, usage is of this run and total_cost_usd of the whole conversation',
    denied:
      'with acceptEdits a Write outside the folder is in permission_denials, and it exits 0 all the same',
    read: '--disallowedTools takes the tools that write away from the model, and it exits 0',
    recovery: 'a 429 is tried again, told by system/api_retry',
    quota: 'a credit balance that is too low fails at once, api_error_status 400, and names no time',
    'quota-reset': 'a spent plan is told by rate_limit_event: status rejected and resetsAt',
    auth: 'a refused key ends in a result with is_error and api_error_status 401',
    silence: 'it waits for a silent model and does not give up by itself',
    cancel: 'it leaves no process behind',
    question: 'before a command its screen asks "Do you want to proceed?"',
    yes: 'the key 1 says yes to the question',
    no: 'the key of the last choice, No, says no to the question',
    'stream-question':
      'control_request can_use_tool asks on the stream, control_response answers; a denial is told, and it exits 0',
  },
  tool: 'Write',
  model: { name: 'claude-sonnet-5-5', called: 'claude-sonnet-5-5' },
  cost: () => ({ by: 'cli' }),
  deniedTool: 'Write',
  recovery: { scenario: '429-times-1', told: true },
  quota: { scenario: 'quota', reset: 'unknown' },
  quotaWithReset: { scenario: 'usage', account: 'subscription', reset: { withinMs: 0 } },
  silenceMs: 6000,
  terminal: {
    prompt: '[shell] FILE=a.txt CONTENT=word write it',
    settings: { permissions: 'ask' },
    question: /Do you want to proceed\?/,
    yes: 'yes',
    no: 'no',
  },
});

import type { Answer } from '../answer.ts';
import { answerAnthropic } from './anthropic.ts';
import { answerChat } from './chat.ts';
import { answerGemini } from './gemini.ts';
import { answerResponses } from './responses.ts';

/** What the model says to a request's body, by the path it came to; undefined where no model is called. */
export function wireOf(path: string): ((body: object, path: string) => Answer) | undefined {
  if (path.endsWith('/messages')) return answerAnthropic;
  if (path.endsWith('/responses')) return answerResponses;
  if (path.endsWith('/chat/completions')) return answerChat;
  return /:(?:stream)?generateContent$/i.test(path) ? answerGemini : undefined;
}

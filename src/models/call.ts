import type { TokenCount } from '../agents/event.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ModelError } from './model-error.ts';

/** One thing a model is asked for. It may look around with tools on the way; that is still one call. */
export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  /** What the answer must look like; absent: text. */
  readonly answer: AnswerShape;
  readonly tools: readonly ModelTool[];
  /** Answers of the model, those that only use a tool included. */
  readonly maxTurns: number;
  readonly maxOutputTokens: number;
}

export type AnswerShape =
  | { readonly kind: 'text' }
  /** Any JSON. */
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: JsonObject };

/** Something a model can use to look at the project. It answers with text, also when it cannot. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  use(input: JsonObject): Promise<string>;
}

/** What is heard while a model answers. */
export interface CallListener {
  text(piece: string): void;
  tool(use: ToolUse): void;
  /** What came on top since the last one. */
  tokens(count: TokenCount): void;
}

export interface ToolUse {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: string;
}

/** How one call ended. What was used is counted either way. */
export type CallEnd = { readonly tokens: TokenCount; readonly text: string; readonly ms: number } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly error: ModelError }
);

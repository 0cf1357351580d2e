import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { refusal } from './failures/refusal.ts';
import { type ModelCall, RequestLog } from './request-log.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import { sideRequest } from './side-requests.ts';
import { wireOf } from './wire/wire.ts';

/** Speaks the model APIs of the agent CLIs, on loopback. Each run has its own address and so its own scenario. */
export class ModelServer {
  readonly log = new RequestLog();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  /** Where the CLI of this run finds its model. */
  url(scenario: string, run: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${parseScenario(scenario).name}/${run}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [, name = '', run = '', path = '/'] = /^\/([^/]+)\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const body = await readJson(request);
    const wire = request.method === 'POST' ? wireOf(path) : undefined;
    if (!wire) {
      sideRequest(request, path, response);
      return;
    }
    const answer = wire(body, path);
    const scenario = this.#now(run, parseScenario(name), answer);
    const resetAt = (Math.floor(Date.now() / 1000) + scenario.resetSeconds) * 1000;
    const failure = this.#fails(run, scenario, answer) ? scenario.failure : undefined;
    const refused = failure && refusal(answer.api, failure, resetAt);
    this.log.add(run, {
      ...call(answer, scenario, refused?.status),
      ...(failure?.kind === 'usage' ? { resetAt } : {}),
    });
    if (refused) sendJson(response, refused.status, refused.body, refused.headers);
    else if (!scenario.silent) await send(response, answer, scenario);
  }

  /** One that falls silent later answers until then; what is asked for without tools does not count. */
  #now(run: string, scenario: Scenario, { tools }: Answer): Scenario {
    const earlier = this.log.of(run).filter((one) => one.tools.length > 0).length;
    const answers = tools.length === 0 || earlier < scenario.answered;
    return scenario.answered > 0 && answers ? { ...scenario, silent: false } : scenario;
  }

  /** Titles and the choice of a model are asked for without tools: they do not use up a counted failure. */
  #fails(run: string, scenario: Scenario, answer: Answer): boolean {
    if (scenario.failing === Number.POSITIVE_INFINITY) return true;
    const earlier = this.log.of(run).filter((one) => one.tools.length > 0);
    return answer.tools.length > 0 && earlier.length < scenario.failing;
  }
}

function call(answer: Answer, scenario: Scenario, status: number | undefined): ModelCall {
  const outcome = status ?? (scenario.silent ? 'silence' : 'answer');
  const { model, tools, tool, prompts } = answer;
  return { model, tools, tool, prompts, outcome };
}

async function send(response: ServerResponse, answer: Answer, { delayMs, cut }: Scenario): Promise<void> {
  await pause(delayMs);
  if (!answer.streamed) {
    sendJson(response, 200, answer.json);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const frames = cut ? answer.frames.slice(0, Math.ceil(answer.frames.length / 2)) : answer.frames;
  for (const frame of frames) {
    response.write(frame);
    // As a real model does it, in pieces: a CLI that reads only whole answers would not be noticed otherwise.
    await pause(5);
  }
  if (cut) response.destroy();
  else response.end();
}

function sendJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<object> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += String(piece);
  if (!text.startsWith('{')) return {};
  return JSON.parse(text) as object;
}

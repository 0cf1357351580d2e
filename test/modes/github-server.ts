import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Pull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  state: 'open' | 'closed';
  merged: boolean;
}

export interface Failure {
  readonly method?: string;
  readonly status: number;
  readonly message?: string;
  readonly headers?: { readonly [name: string]: string };
  /** The request is done, and then answered as failed. */
  readonly afterwards?: boolean;
  readonly times?: number;
}

/** The part of GitHub that loopwright uses, in front of a real bare repository. */
export class GitHubServer {
  readonly pulls: Pull[] = [];
  readonly issues: { number: number; title: string; body: string | null; labels: string[]; pull?: true }[] =
    [];
  /** Every request: `POST /repos/acme/widget/pulls`. */
  readonly seen: string[] = [];
  readonly #bare: string;
  readonly #server: Server;
  readonly #failures: { -readonly [key in keyof Failure]: Failure[key] }[] = [];
  token = 'secret-token';

  private constructor(bare: string) {
    this.#bare = bare;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(bare: string): Promise<GitHubServer> {
    const server = new GitHubServer(bare);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  fail(failure: Failure): void {
    this.#failures.push({ times: 1, ...failure });
  }

  count(request: string): number {
    return this.seen.filter((seen) => seen.startsWith(request)).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.seen.push(`${method} ${url}`);
    let text = '';
    for await (const part of request) text += String(part);
    const failure = this.#failures.find((each) => each.method === undefined || each.method === method);
    const send = (status: number, body: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const work = () => this.#route(method, new URL(url, 'http://x'), text === '' ? {} : JSON.parse(text));
    if (failure) {
      failure.times = (failure.times ?? 1) - 1;
      if (failure.times <= 0) this.#failures.splice(this.#failures.indexOf(failure), 1);
      if (failure.afterwards) work();
      send(failure.status, { message: failure.message ?? 'no' }, failure.headers);
    } else if (request.headers.authorization !== `token ${this.token}`) {
      send(401, { message: 'Bad credentials' });
    } else {
      const { status, body } = work();
      send(status, body);
    }
  }

  #route(method: string, url: URL, body: Record<string, string>): { status: number; body: unknown } {
    const path = url.pathname.replace(/^\/repos\/acme\/widget/, '');
    if (path === url.pathname) return { status: 404, body: { message: 'Not Found' } };
    const query = (name: string) => url.searchParams.get(name) ?? '';
    if (path === '/issues')
      return { status: 200, body: this.#issuesOn(Number(query('page')), query('labels')) };
    if (path === '/pulls' && method === 'GET') return { status: 200, body: this.#find(query('head')) };
    if (path === '/pulls') return this.#open(body);
    const pull = this.pulls.find(({ number }) => path.startsWith(`/pulls/${number}`));
    if (!pull) return { status: 404, body: { message: 'Not Found' } };
    if (path.endsWith('/merge')) return this.#merge(pull, body);
    if (method === 'PATCH') Object.assign(pull, body);
    return { status: 200, body: shown(pull) };
  }

  #issuesOn(page: number, labels: string): unknown[] {
    const wanted = labels === '' ? [] : labels.split(',');
    const fitting = this.issues.filter((issue) => wanted.every((label) => issue.labels.includes(label)));
    return fitting.slice((page - 1) * 100, page * 100).map(({ pull, labels: names, ...issue }) => ({
      ...issue,
      html_url: `https://github.example/acme/widget/issues/${issue.number}`,
      labels: names.map((name) => ({ name })),
      ...(pull ? { pull_request: {} } : {}),
    }));
  }

  #find(head: string): unknown[] {
    return this.pulls.filter((pull) => pull.state === 'open' && `acme:${pull.head}` === head).map(shown);
  }

  #open({ title = '', body = '', head = '', base = '' }: Record<string, string>) {
    if (this.pulls.some((pull) => pull.state === 'open' && pull.head === head)) {
      return invalid(`A pull request already exists for acme:${head}.`);
    }
    const commits = this.#git('rev-list', '--count', `${base}..${head}`);
    if (commits === '0') return invalid(`No commits between ${base} and ${head}`);
    const pull: Pull = {
      number: this.pulls.length + 1,
      title,
      body,
      head,
      base,
      state: 'open',
      merged: false,
    };
    this.pulls.push(pull);
    return { status: 201, body: shown(pull) };
  }

  /** Squashes, as it is asked to. */
  #merge(pull: Pull, { sha, commit_message: words = '' }: Record<string, string>) {
    const head = this.#git('rev-parse', pull.head);
    if (sha !== undefined && sha !== head) {
      return { status: 409, body: { message: 'Head branch was modified.' } };
    }
    const tree = this.#git('merge-tree', '--write-tree', pull.base, head);
    const message = `${pull.title} (#${pull.number})\n\n${words}`;
    const who = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.example'];
    const commit = this.#git(...who, 'commit-tree', tree, '-p', pull.base, '-m', message);
    this.#git('update-ref', `refs/heads/${pull.base}`, commit);
    Object.assign(pull, { state: 'closed', merged: true });
    return { status: 200, body: { merged: true } };
  }

  #git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.#bare, encoding: 'utf8' }).trim();
  }
}

function invalid(message: string) {
  return { status: 422, body: { message: 'Validation Failed', errors: [{ message }] } };
}

function shown({ number, title, body, merged }: Pull): unknown {
  return { number, title, body, merged, html_url: `https://github.example/acme/widget/pull/${number}` };
}

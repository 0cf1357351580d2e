import { z } from 'zod';
import type { GitHubRepository } from './repository.ts';

const shape = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullable(),
  html_url: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().optional() })])),
  /** Pull requests are issues too, for GitHub. */
  pull_request: z.unknown().optional(),
});

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly labels: readonly string[];
}

const PAGE = 100;
const MOST_PAGES = 50;

/** The issues of a repository, oldest first, without pull requests. */
export async function listIssues(
  hub: GitHubRepository,
  {
    labels = [],
    state = 'open',
  }: { readonly labels?: readonly string[]; readonly state?: 'open' | 'all' } = {},
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await hub.ask('listing the issues', 'GET /repos/{owner}/{repo}/issues', {
      state,
      page,
      per_page: PAGE,
      sort: 'created',
      direction: 'asc',
      ...(labels.length === 0 ? {} : { labels: labels.join(',') }),
    });
    const list = z.array(shape).parse(answer);
    issues.push(...list.filter((entry) => entry.pull_request === undefined).map(issueOf));
    if (list.length < PAGE) break;
  }
  return issues;
}

function issueOf({ number, title, body, html_url: url, labels }: z.infer<typeof shape>): Issue {
  const names = labels.flatMap((label) => (typeof label === 'string' ? [label] : (label.name ?? [])));
  return { number, title, body: body ?? '', url, labels: names };
}

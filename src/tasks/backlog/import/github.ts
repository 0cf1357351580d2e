import type { NamedDraft } from '../../../backlog/backlog.ts';
import { ROLES } from '../../../kernel/runtime-words.ts';

/** What is needed of an issue, as the GitHub API gives it. */
export interface FetchedIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state?: string;
  readonly labels?: readonly (string | { readonly name?: string })[];
  /** Present when it is a pull request. */
  readonly pull_request?: unknown;
}

/**
 * Open issues as tasks. Anybody may have written them, so they decide nothing but text, role, kind and priority,
 * the last three by labels: `tester`, `docser`, `research`, `priority:5`. "Depends on #12" is a dependency when
 * that issue is in the list too.
 */
export function tasksOfIssues(repository: string, issues: readonly FetchedIssue[]): NamedDraft[] {
  const open = issues.filter(({ state, pull_request }) => state !== 'closed' && pull_request === undefined);
  const numbers = new Set(open.map(({ number }) => number));
  return open.map((issue) => {
    const labels = (issue.labels ?? []).map((label) =>
      typeof label === 'string' ? label : (label.name ?? ''),
    );
    const role = ROLES.find((known) => labels.includes(known));
    const [, priority] =
      labels.map((label) => /^priority:\s*(\d+)$/.exec(label)).find((match) => match) ?? [];
    const body = (issue.body ?? '').trim();
    const title = issue.title.replace(/\s+/g, ' ').trim();
    return {
      key: `#${issue.number}`,
      title,
      goal: body === '' ? title : `${title}\n\n${body}`,
      source: `github:${repository}#${issue.number}`,
      dependencies: neededBy(body, numbers, issue.number),
      ...(labels.includes('research') ? { kind: 'research' as const } : {}),
      ...(role === undefined ? {} : { role }),
      ...(priority === undefined ? {} : { priority: Number(priority) }),
    };
  });
}

function neededBy(body: string, numbers: ReadonlySet<number>, own: number): string[] {
  const named = [...body.matchAll(/\b(?:depends on|blocked by|needs)\s+#(\d+)/gi)].map((match) =>
    Number(match[1]),
  );
  return [...new Set(named)].filter((number) => number !== own && numbers.has(number)).map((n) => `#${n}`);
}

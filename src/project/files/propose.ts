import { UsageError } from '../../kernel/errors.ts';
import { openPullRequest } from '../../tasks/github/pull-request.ts';
import { openGitHub } from '../../tasks/github/repository.ts';
import { tokenForGit } from '../../tasks/github/token.ts';
import type { AcceptOptions } from '../../workspace/delivery/accept.ts';
import { commitBranch } from '../../workspace/delivery/commit-branch.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { DiffSummary } from '../../workspace/git/tree-diff.ts';
import { fetchBranch, settingOf, trackingRef } from '../../workspace/remote/cached-clone.ts';
import { pushBranch } from '../../workspace/remote/push-branch.ts';
import { withoutPassword } from '../../workspace/remote/repository-url.ts';
import { maskedText } from '../masked.ts';
import type { OpenProject } from '../open.ts';

/** The work waits in a pull request for somebody to merge it. */
export interface Proposed {
  readonly kind: 'proposed';
  readonly commit: string;
  readonly branch: string;
  readonly url: string;
  readonly change: DiffSummary;
}

/** A way out of the repository: the base as the remote has it, and how work gets there. */
export interface Proposing {
  /** The commit of the base on the remote. */
  readonly onto: string;
  readonly land: (
    work: AcceptOptions,
  ) => Promise<Proposed | { readonly kind: 'nothing-to-accept' } | Refused>;
}

/** Looks at what the remote has, so that the work is proven on what it would become there. */
export async function proposeTo(opened: OpenProject, repo: string, base: string): Promise<Proposing> {
  const url = await settingOf(repo, 'remote.origin.url');
  if (url === undefined)
    throw new UsageError(`${repo} has no remote "origin", so there is nowhere to open a pull request.`, {
      next: 'Name it: git remote add origin <address>',
    });
  const { config } = opened;
  const hub = await openGitHub({ config, repository: { ...config.runtime.values.repository, url } });
  const rule = { env: config.childEnv, hosts: config.user.tokenHosts };
  const remote = { cwd: repo, env: tokenForGit(url, hub.token, rule) };
  if (!(await fetchBranch(remote, base)))
    throw new UsageError(`${withoutPassword(url)} has no branch "${base}" to open a pull request for.`, {
      next: `Push it first: git push origin ${base}`,
    });
  const onto = await new BoundGit(repo).out(['rev-parse', `${trackingRef(base)}^{commit}`]);
  return {
    onto,
    land: async (work) => {
      const { branch, session } = work;
      const committed = await commitBranch(work);
      if (committed.kind !== 'committed') return committed;
      const { commit, change } = committed;
      await pushBranch(remote, { branch, commit });
      const text = { head: branch, base, ...textOf(maskedText(opened, work.message), session) };
      const request = await openPullRequest(hub, text);
      if (request === 'no-commits') return { kind: 'nothing-to-accept' };
      return { kind: 'proposed', commit, branch, url: request.url, change };
    },
  };
}

/** The commit message as a pull request; squashed there, its last line still names the session. */
function textOf(message: string, session: string): { readonly title: string; readonly body: string } {
  const [title = '', ...rest] = message.trim().split('\n');
  const mark = `Loopwright-Session: ${session}`;
  return { title, body: [rest.join('\n').trim(), mark].filter((part) => part !== '').join('\n\n') };
}

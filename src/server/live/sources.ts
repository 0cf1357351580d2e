import type { LiveSession } from '../../api/live.ts';
import type { LiveChange, Topic } from '../../api/routes/live.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import type { Project } from '../../project/project.ts';
import type { Hub } from './hub.ts';
import { OwnerWatch } from './owner-watch.ts';

type Following = Awaited<ReturnType<Project['follow']>>;

const OF_SESSION = 'session:';
const OF_LOG = 'log:';

/** Brings what happens in the project to the hub, and follows more closely what somebody looks at. */
export class Sources {
  readonly #project: Project;
  readonly #following: Following;
  readonly #hub: Hub;
  readonly #owners = new Map<string, OwnerWatch>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(project: Project, following: Following, hub: Hub) {
    this.#project = project;
    this.#following = following;
    this.#hub = hub;
    this.#unsubscribe = [
      following.sessionEvents.subscribe((change) => {
        if (change.type === 'feed.failed') return this.#warn(change.what);
        const id = 'session' in change ? change.session.id : change.id;
        hub.publish(['overview', `${OF_SESSION}${id}`], change as LiveChange);
        if (change.type === 'session.changed' && 'ownerAlive' in change.session && change.session.ownerAlive)
          void this.#owners.get(id)?.connect();
        return undefined;
      }),
      following.backlogEvents.subscribe((change) => {
        if (change.type === 'feed.failed') return this.#warn(change.what);
        return hub.publish(topicsOf(change), change as LiveChange);
      }),
    ];
  }

  /** Follows one topic; undefined for those that are always followed. */
  begin(topic: Topic): (() => void) | undefined {
    if (topic.startsWith(OF_LOG)) return this.#beginLog(topic);
    if (!topic.startsWith(OF_SESSION)) return undefined;
    const id = topic.slice(OF_SESSION.length);
    const lookAway = this.#following.look(id);
    const owner = new OwnerWatch(this.#project, this.#hub, id);
    this.#owners.set(id, owner);
    // Nobody is there to be asked otherwise; whoever takes it up later is told by its change.
    if (this.#following.isOwned(id)) void owner.connect();
    return () => {
      this.#owners.delete(id);
      owner.end();
      lookAway();
    };
  }

  #warn(what: string): void {
    this.#hub.publish(['overview'], { type: 'server.warning', what });
  }

  #beginLog(topic: Topic): () => void {
    const [id = '', name = ''] = topic.slice(OF_LOG.length).split('/');
    try {
      return this.#following.watchLog(id, name, (size) =>
        this.#hub.publish([topic], { type: 'log.grew', id, name, ...size }),
      );
    } catch (error) {
      // There is no such log, or no more; whoever asks for a page of it is told so.
      if (!(error instanceof LoopwrightError)) throw error;
      return () => undefined;
    }
  }

  liveOf(id: string): LiveSession | null {
    return this.#owners.get(id)?.state ?? null;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const owner of this.#owners.values()) owner.end();
  }
}

type Change = Parameters<Parameters<Following['backlogEvents']['subscribe']>[0]>[0];

function topicsOf(change: Change): Topic[] {
  switch (change.type) {
    case 'finding.changed':
      return [`research:${change.job}`];
    case 'plan.changed':
      return ['plans'];
    case 'agent.changed':
      return ['agents', 'overview'];
    case 'lease.changed':
      return ['backlog', 'agents'];
    default:
      return ['backlog', 'overview'];
  }
}

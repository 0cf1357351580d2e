import { describe, expect, it, onTestFinished } from 'vitest';
import { tempProject } from '../../server/testing.ts';
import { findPlace } from '../place.ts';
import { openProject } from '../project.ts';
import { type BacklogChange, BacklogFeed } from './backlog-feed.ts';

function feedOf(dir: string) {
  const feed = new BacklogFeed(findPlace(dir));
  onTestFinished(() => feed.close());
  const told: BacklogChange[] = [];
  feed.events.subscribe((change) => told.push(change));
  const types = () =>
    told.splice(0).map((change) => ('task' in change ? `${change.type} ${change.task.title}` : change.type));
  return { feed, types };
}

describe('following the backlog', () => {
  it('tells what somebody else does to tasks, each once, and counts them', async () => {
    const dir = tempProject();
    const project = openProject(dir);
    const first = await project.addTask('first');
    const { feed, types } = feedOf(dir);
    await feed.lookNow();
    expect(types()).toEqual([]);
    const second = await project.addTask('second');
    await feed.lookNow();
    await feed.lookNow();
    expect(types()).toEqual(['task.changed second']);
    await project.editTask(first.id, { priority: 1 });
    await project.removeTask(second.id);
    await feed.lookNow();
    expect(types().sort()).toEqual(['task.changed first', 'task.removed']);
    expect(feed.counts()).toMatchObject({ queued: 1, done: 0 });
  });

  it('looking at the backlog is no change of it', async () => {
    const dir = tempProject();
    const project = openProject(dir);
    await project.addTask('first');
    const { feed, types } = feedOf(dir);
    await feed.lookNow();
    for (let n = 0; n < 3; n++) {
      await project.tasks();
      await project.board();
      await feed.lookNow();
    }
    expect(types()).toEqual([]);
  });

  it('waits for a backlog that is not there yet, and makes none', async () => {
    const dir = tempProject();
    const { feed, types } = feedOf(dir);
    await feed.lookNow();
    await openProject(dir).addTask('first');
    await feed.lookNow();
    await openProject(dir).addTask('second');
    await feed.lookNow();
    expect(types()).toEqual(['task.changed first', 'task.changed second']);
    expect(feed.counts()).toMatchObject({ queued: 2 });
  });
});

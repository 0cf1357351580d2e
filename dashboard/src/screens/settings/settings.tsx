import { type ReactElement, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { notificationsAreOn, switchNotifications } from '../../frame/notifications.ts';
import { Panel, View } from '../../parts/view.tsx';
import { EditSetting } from './edit-setting.tsx';
import { shown } from './shown.ts';

/** Every setting, its value, and who said so. */
export default function Settings(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const [notifies, setNotifies] = useState(notificationsAreOn);
  const [editing, setEditing] = useState('');
  const { readOnly } = useMe();
  const settings = useRoute('settings');
  const q = (search.get('q') ?? '').toLowerCase();
  return (
    <div className="stack">
      <div className="row">
        <h1 className="grow">Settings</h1>
        <input
          type="search"
          placeholder="Search"
          aria-label="Search settings"
          defaultValue={q}
          onChange={({ target: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
        />
      </div>
      <Panel title="This page">
        <label className="row body">
          <input
            type="checkbox"
            checked={notifies}
            onChange={({ target: { checked } }) => void switchNotifications(checked).then(setNotifies)}
          />
          Notify me when something has needed me for ten seconds and this page is not in front
        </label>
      </Panel>
      <View of={settings}>
        {({ commands, settings: all, warnings, errors, userFile }) => (
          <>
            {[...errors, ...warnings].map((line) => (
              <p key={line} className="problem">
                {line}
              </p>
            ))}
            <Panel title="Commands that prove the work">
              <table>
                <tbody>
                  {commands.map(({ kind, command, source, from, problem }) => (
                    <tr key={kind}>
                      <td>{kind}</td>
                      <td>
                        <code>{command ?? 'none'}</code>
                        {problem === undefined ? null : <div className="status failed">{problem}</div>}
                      </td>
                      <td className="quiet">
                        {source}
                        {from === null ? '' : `, ${from}`}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Panel>
            <Panel title="All settings">
              <div className="wide" tabIndex={0} role="region" aria-label="Table">
                <table>
                  <thead>
                    <tr>
                      <th>Setting</th>
                      <th>Value</th>
                      <th>From</th>
                      <th>Meaning</th>
                      <th />
                    </tr>
                  </thead>
                  <tbody>
                    {all
                      .filter(({ key, meaning, variable }) =>
                        `${key} ${variable} ${meaning}`.toLowerCase().includes(q),
                      )
                      .map((setting) => (
                        <tr key={setting.key}>
                          <td>
                            <code>{setting.key}</code>
                            <div className="quiet mono">{setting.variable}</div>
                          </td>
                          <td>{shown(setting.value)}</td>
                          <td>
                            {setting.source}
                            {setting.source === 'default' ? null : (
                              <div className="quiet">default {shown(setting.default)}</div>
                            )}
                          </td>
                          <td>{setting.meaning}</td>
                          <td>
                            {setting.source === 'environment' || setting.source === 'user' ? (
                              <span
                                className="chip"
                                title={`It is set elsewhere (${setting.source}), which wins.`}
                              >
                                locked
                              </span>
                            ) : (
                              <button
                                type="button"
                                className="button"
                                disabled={readOnly}
                                onClick={() => setEditing(setting.key)}
                              >
                                Change<span className="sr"> {setting.key}</span>
                              </button>
                            )}
                          </td>
                        </tr>
                      ))}
                  </tbody>
                </table>
              </div>
              <p className="body quiet">What no project may decide is in {userFile}.</p>
            </Panel>
            {editing === '' ? null : (
              <EditSetting setting={all.find(({ key }) => key === editing)} close={() => setEditing('')} />
            )}
          </>
        )}
      </View>
    </div>
  );
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { inside, type Place, type ProblemReport, quote } from '../problem.ts';
import { isBody } from '../shape/manifest.ts';

/** The document with our own fields in their present spelling; each old one is a warning. */
export function inNewSpelling(document: JsonObject, report: ProblemReport): JsonObject {
  const body = isBody(document);
  const path = body ? ['nodes'] : [];
  const nodes = eachObject(body ? document.nodes : document, (node, id) => {
    const place: Place = { node: id, path: [...path, id] };
    const blocks = eachObject(node.blocks, (block, key) => {
      const at: Place = { ...inside(place, 'blocks', key), block: key };
      const renamed = rename(block, 'signal_from', 'signalFrom', at, report);
      if (!isJsonObject(renamed.limits)) return renamed;
      const within = inside(at, 'limits');
      const limits = rename(renamed.limits, 'same_failure', 'sameFailure', within, report);
      return { ...renamed, limits: rename(limits, 'same_tool', 'sameTool', within, report) };
    });
    return blocks === undefined ? node : { ...node, blocks };
  });
  if (!isJsonObject(nodes)) return document;
  return body ? { ...document, nodes } : nodes;
}

/** Where both are written the old one stays, and is refused as a key that is not known. */
function rename(
  object: JsonObject,
  old: string,
  now: string,
  place: Place,
  report: ProblemReport,
): JsonObject {
  if (!(old in object) || now in object) return object;
  report.warning(inside(place, old), `${quote(old)} is now spelled ${quote(now)}; rename it.`);
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === old ? now : key, value]));
}

function eachObject(
  members: JsonValue | undefined,
  change: (member: JsonObject, key: string) => JsonObject,
): JsonValue | undefined {
  if (!isJsonObject(members)) return members;
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => [
      key,
      isJsonObject(member) ? change(member, key) : member,
    ]),
  );
}

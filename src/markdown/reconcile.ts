import type { ModelTree } from './model-tree.ts';
import type { MarkdownNode, NodeKind } from './tree.ts';
import { sameAttributes, sameChild } from './tree.ts';

interface Patch {
  path: number[];
  from: number;
  remove: number;
  nodes: MarkdownNode[];
}

/** Nodes that hold blocks: a difference inside one is mended there, not by replacing the whole. */
const CONTAINERS: ReadonlySet<NodeKind> = new Set<NodeKind>(['root', 'list', 'item', 'quote', 'footnote']);

/** Makes the tree equal to the wanted one, and leaves every block alone that already is. Returns how many it changed. */
export function reconcile(tree: ModelTree, wanted: MarkdownNode): number {
  const patches: Patch[] = [];
  collect(tree.root, wanted, [], patches);
  // From the end, so that the places of those that follow stay right.
  for (const patch of patches.toReversed()) tree.patch(patch.path, patch.from, patch.remove, patch.nodes);
  return patches.length;
}

function collect(shown: MarkdownNode, wanted: MarkdownNode, path: number[], patches: Patch[]): void {
  const ones = shown.children;
  const others = wanted.children;
  let from = 0;
  while (from < ones.length && from < others.length && sameChild(ones[from] ?? '', others[from])) from += 1;
  let last = 0;
  const most = Math.min(ones.length, others.length) - from;
  while (last < most && sameChild(ones.at(-1 - last) ?? '', others.at(-1 - last))) last += 1;
  const remove = ones.length - from - last;
  const wantedNodes = others.slice(from, others.length - last).filter((child) => typeof child !== 'string');
  if (remove === 0 && wantedNodes.length === 0) return;
  if (remove !== wantedNodes.length) {
    patches.push({ path, from, remove, nodes: wantedNodes });
    return;
  }
  wantedNodes.forEach((node, offset) => {
    const index = from + offset;
    const one = ones[index];
    if (one === undefined || sameChild(one, node)) return;
    const mendable = typeof one !== 'string' && one.kind === node.kind && CONTAINERS.has(node.kind);
    if (mendable && sameAttributes(one.attributes, node.attributes)) collect(one, node, [...path, index], patches);
    else patches.push({ path, from: index, remove: 1, nodes: [node] });
  });
}

import type { ModelTree } from './model-tree.ts';
import { textOf } from './reference-tree.ts';
import type { MarkdownChild, MarkdownNode, NodeKind } from './tree.ts';
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
  while (from < ones.length && from < others.length && alike(ones[from] ?? '', others[from])) from += 1;
  let last = 0;
  const most = Math.min(ones.length, others.length) - from;
  while (last < most && alike(ones.at(-1 - last) ?? '', others.at(-1 - last))) last += 1;
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
    if (one === undefined || alike(one, node)) return;
    const mendable = typeof one !== 'string' && one.kind === node.kind && CONTAINERS.has(node.kind);
    if (mendable && sameAttributes(one.attributes, node.attributes))
      collect(one, node, [...path, index], patches);
    else patches.push({ path, from: index, remove: 1, nodes: [node] });
  });
}

/**
 * The same, or code that differs in white space only. marked turns the tabs of a code line in a list into spaces; code
 * is copied and run, so the exact text stays.
 */
function alike(one: MarkdownChild, other: MarkdownChild | undefined): boolean {
  if (sameChild(one, other)) return true;
  if (typeof one === 'string' || other === undefined || typeof other === 'string') return false;
  const code = one.kind === 'code' && other.kind === 'code' && one.children.length === other.children.length;
  return (
    code && sameAttributes(one.attributes, other.attributes) && withoutSpace(one) === withoutSpace(other)
  );
}

function withoutSpace(code: MarkdownNode): string {
  return textOf(code.children).replace(/\s+/g, '');
}

import { useState, type ReactNode } from 'react';

import { listJsonMembers, writeExactJson } from '../../../lib/exact-json.ts';
import { pluralize } from '../../../lib/format.ts';
import { isDeeperThan, JsonSource, maxJsonDepth, type Json } from '../../../lib/json.ts';
import { classes } from '../../../ui/cn.ts';
import { foldLook } from '../../../ui/display/card.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { CircleAlert } from '../../../ui/icons.tsx';
import { jsonColors } from './json-text.tsx';

interface JsonTreeProps {
  value: Json;
  /** The place to mark, as a schema found it. */
  failing?: readonly string[] | undefined;
}

/** A JSON value as nested lists that fold; the place that fails is marked and unfolded. */
export function JsonTree({ value, failing }: JsonTreeProps) {
  return (
    <ul
      className="overflow-x-auto rounded-3 border border-line-2 bg-raised px-3 py-2 font-mono text-mono-12"
      aria-label="JSON"
    >
      <Node name={undefined} value={value} failing={failing} depth={0} />
    </ul>
  );
}

interface NodeProps {
  /** Undefined at the top; in lists the number of the item. */
  name: string | undefined;
  value: Json;
  /** The rest of the failing path from here; undefined where it leads elsewhere. */
  failing: readonly string[] | undefined;
  depth: number;
}

/** Deeper lists and objects begin folded. */
const openDepth = 3;
/** A longer value is drawn in pieces. */
const mostLetters = 8_000;
/** What is nested deeper is shown as text: each level of the tree is several of React's, whose stack is short. */
const mostDepth = 100;

const rowLook = classes('relative min-h-5.5 leading-5.5 wrap-anywhere whitespace-pre-wrap');
const keyLook = classes(jsonColors.key, "after:text-ink-3 after:content-[':_']");
/** Where it does not fit the schema. */
const failingLook = classes(
  'rounded-1 bg-err-wash underline decoration-err decoration-wavy decoration-1 underline-offset-3 ring-2 ring-err-wash',
);

function Node({ name, value, failing, depth }: NodeProps) {
  const isFailing = failing?.length === 0;
  const label = (
    <>
      {isFailing && (
        <CircleAlert
          className="-mt-0.75 mr-1.25 inline-block icon-14 align-middle text-err-ink"
          aria-hidden
        />
      )}
      {name !== undefined && <span className={keyLook}>{name}</span>}
    </>
  );
  const members = depth < mostDepth ? listJsonMembers(value) : undefined;
  if (members === undefined || members.length === 0) {
    return (
      <li className={rowLook}>
        {label}
        <Leaf value={value} isFailing={isFailing} />
        {isFailing && <span className="sr-only"> (does not fit the schema)</span>}
      </li>
    );
  }
  const words = pluralize(members.length, isList(value) ? 'item' : 'field');
  return (
    <li className={rowLook}>
      <Folder startsOpen={depth < openDepth || failing !== undefined}>
        {(isOpen) => (
          <>
            <summary
              className={classes('cursor-pointer rounded-1 marker:text-ink-3', isFailing && failingLook)}
            >
              {label}
              <span className="text-ink-3">{words}</span>
              {isFailing && <span className="sr-only"> (does not fit the schema)</span>}
            </summary>
            {isOpen && <Children members={members} failing={failing} depth={depth} />}
          </>
        )}
      </Folder>
    </li>
  );
}

/** Details that know whether they are open, so that what is folded away is not drawn. */
function Folder({ startsOpen, children }: { startsOpen: boolean; children: (isOpen: boolean) => ReactNode }) {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? startsOpen;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) setChosen(currentTarget.open);
      }}
    >
      {children(isOpen)}
    </details>
  );
}

const firstChildren = 100;

interface ChildrenProps {
  members: readonly [string, Json][];
  failing: NodeProps['failing'];
  depth: number;
}

function Children({ members, failing, depth }: ChildrenProps) {
  const [all, setAll] = useState(false);
  const isBeyond =
    failing?.[0] !== undefined && members.findIndex(([key]) => key === failing[0]) >= firstChildren;
  const shown = all || isBeyond ? members : members.slice(0, firstChildren);
  return (
    <ul className="ml-1.5 border-l border-line pl-3.25">
      {shown.map(([key, inner], index) => (
        <Node
          // A name may occur twice.
          key={`${index} ${key}`}
          name={key}
          value={inner}
          failing={failing?.[0] === key ? failing.slice(1) : undefined}
          depth={depth + 1}
        />
      ))}
      {shown.length < members.length && (
        <li className={rowLook}>
          <button type="button" className={foldLook} onClick={() => setAll(true)}>
            Show {pluralize(members.length - shown.length, 'more', 'more')}
          </button>
        </li>
      )}
    </ul>
  );
}

function Leaf({ value, isFailing }: { value: Json; isFailing: boolean }) {
  const isText = typeof value === 'string';
  const words = isDeeperThan(maxJsonDepth, value)
    ? 'Too deeply nested for the tree; see the text'
    : writeExactJson(value);
  return (
    <span
      className={classes(
        isText
          ? jsonColors.text
          : typeof value === 'object' && !(value instanceof JsonSource)
            ? 'text-ink-3'
            : jsonColors.scalar,
        isFailing && failingLook,
      )}
      dir={isText ? 'auto' : undefined}
    >
      {words.length > mostLetters ? <LongText text={words} /> : words}
    </span>
  );
}

function isList(value: Json): boolean {
  return value instanceof JsonSource ? value.text.startsWith('[') : Array.isArray(value);
}

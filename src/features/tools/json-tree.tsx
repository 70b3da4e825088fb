import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';

import { listJsonMembers, writeExactJson } from '../../lib/exact-json.ts';
import { pluralize } from '../../lib/format.ts';
import { isDeeperThan, JsonSource, maxJsonDepth, type Json } from '../../lib/json.ts';
import { DisclosureButton } from '../../ui/display/card.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { LongText } from './long-text.tsx';

interface JsonTreeProps {
  value: Json;
  /** Path to mark, as reported by the schema check. */
  failingPath?: readonly string[] | undefined;
}

/** JSON value as nested, collapsible lists. The failing path is marked and expanded. */
export function JsonTree({ value, failingPath }: JsonTreeProps) {
  return (
    <ul
      className="overflow-x-auto rounded-3 border border-line-2 bg-raised px-3 py-2 font-mono text-mono-12 leading-5.5 wrap-anywhere whitespace-pre-wrap"
      aria-label="JSON"
    >
      <JsonNode name={undefined} value={value} failingPath={failingPath} depth={0} />
    </ul>
  );
}

interface JsonNodeProps {
  /** Key or index in the parent; undefined at the top level. */
  name: string | undefined;
  value: Json;
  /** Rest of the failing path from here; undefined if the path leads elsewhere. */
  failingPath: readonly string[] | undefined;
  depth: number;
}

/** Depth from which lists and objects start collapsed. */
const initialOpenDepth = 3;
/** Maximum length of a value; longer values are rendered in pieces. */
const maxValueChars = 8_000;
/**
 * Maximum depth of the tree; deeper values are shown as text, because each level takes several levels of React's
 * limited stack.
 */
const maxTreeDepth = 100;

function JsonNode({ name, value, failingPath, depth }: JsonNodeProps) {
  const isFailing = failingPath?.length === 0;
  const label = (
    <>
      {isFailing && (
        <CircleAlert
          className="-mt-0.75 mr-1.25 inline-block icon-14 align-middle text-err-ink"
          aria-hidden
        />
      )}
      {name !== undefined && (
        <span className="text-(--lane-b) after:text-ink-3 after:content-[':_']">{name}</span>
      )}
    </>
  );
  const members = depth < maxTreeDepth ? listJsonMembers(value) : undefined;
  if (members === undefined || members.length === 0) {
    return (
      <li className="relative min-h-5.5">
        {label}
        <JsonLeaf value={value} isFailing={isFailing} />
        {isFailing && <span className="sr-only"> (does not fit the schema)</span>}
      </li>
    );
  }
  const countText = pluralize(members.length, isList(value) ? 'item' : 'field');
  return (
    <li className="relative min-h-5.5">
      <LazyDetails startsOpen={depth < initialOpenDepth || failingPath !== undefined}>
        {(isOpen) => (
          <>
            <summary
              className={clsx(
                'cursor-pointer rounded-1 marker:text-ink-3',
                isFailing &&
                  'bg-err-wash underline decoration-err decoration-wavy decoration-1 underline-offset-3 ring-2 ring-err-wash',
              )}
            >
              {label}
              <span className="text-ink-3">{countText}</span>
              {isFailing && <span className="sr-only"> (does not fit the schema)</span>}
            </summary>
            {isOpen && <JsonMembers members={members} failingPath={failingPath} depth={depth} />}
          </>
        )}
      </LazyDetails>
    </li>
  );
}

/** Details element that tracks whether it is open, so that collapsed content is not rendered. */
function LazyDetails({
  startsOpen,
  children,
}: {
  startsOpen: boolean;
  children: (isOpen: boolean) => ReactNode;
}) {
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const isOpen = chosenOpen ?? startsOpen;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) setChosenOpen(currentTarget.open);
      }}
    >
      {children(isOpen)}
    </details>
  );
}

const initialChildCount = 100;

interface JsonMembersProps {
  members: readonly [string, Json][];
  failingPath: JsonNodeProps['failingPath'];
  depth: number;
}

function JsonMembers({ members, failingPath, depth }: JsonMembersProps) {
  const [showsAll, setShowsAll] = useState(false);
  const isFailingHidden =
    failingPath?.[0] !== undefined &&
    members.findIndex(([key]) => key === failingPath[0]) >= initialChildCount;
  const visibleMembers = showsAll || isFailingHidden ? members : members.slice(0, initialChildCount);
  return (
    <ul className="ml-1.5 border-l border-line pl-3.25">
      {visibleMembers.map(([key, inner], index) => (
        <JsonNode
          // Keys may occur more than once.
          key={`${index} ${key}`}
          name={key}
          value={inner}
          failingPath={failingPath?.[0] === key ? failingPath.slice(1) : undefined}
          depth={depth + 1}
        />
      ))}
      {visibleMembers.length < members.length && (
        <li className="relative min-h-5.5">
          <DisclosureButton onClick={() => setShowsAll(true)}>
            Show {pluralize(members.length - visibleMembers.length, 'more', 'more')}
          </DisclosureButton>
        </li>
      )}
    </ul>
  );
}

function JsonLeaf({ value, isFailing }: { value: Json; isFailing: boolean }) {
  const isText = typeof value === 'string';
  const text = isDeeperThan(maxJsonDepth, value)
    ? 'Nested too deeply for the tree. See the text.'
    : writeExactJson(value);
  return (
    <span
      className={clsx(
        isText
          ? 'text-(--lane-c)'
          : typeof value === 'object' && !(value instanceof JsonSource)
            ? 'text-ink-3'
            : 'text-(--lane-a)',
        isFailing &&
          'rounded-1 bg-err-wash underline decoration-err decoration-wavy decoration-1 underline-offset-3 ring-2 ring-err-wash',
      )}
      dir={isText ? 'auto' : undefined}
    >
      {text.length > maxValueChars ? <LongText text={text} /> : text}
    </span>
  );
}

function isList(value: Json): boolean {
  return value instanceof JsonSource ? value.text.startsWith('[') : Array.isArray(value);
}

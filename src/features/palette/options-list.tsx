import {
  BookOpen,
  Box,
  ChevronRight,
  CircleSlash,
  CopyPlus,
  MessageSquare,
  SlidersHorizontal,
  TextSearch,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';

import { KeyNames } from '../../ui/display/key-names.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { useSettled } from '../../ui/hooks/use-settled.ts';
import type { NowValue, PaletteCommand, PaletteOption } from './palette-option.ts';
import type { PaletteField } from './palette.tsx';
import { useOptions, type ShowParameter } from './use-options.ts';
import { usePaletteField } from './use-palette-field.ts';

const icons: Record<PaletteOption['icon'], LucideIcon> = {
  set: SlidersHorizontal,
  unset: CircleSlash,
  lane: CopyPlus,
  session: MessageSquare,
  message: TextSearch,
  about: BookOpen,
  model: Box,
  command: ChevronRight,
};

const countDelayMs = 300;

interface OptionsListProps {
  field: PaletteField;
  listCommands: () => PaletteCommand[];
  showParameter: ShowParameter;
}

/**
 * What the command field offers for what is typed: commands, models, sessions and typed settings, each with what it would
 * do. Enter runs, with Ctrl or Cmd without closing. The focus goes back to where it was, then the command runs.
 */
export function OptionsList({ field, listCommands, showParameter }: OptionsListProps) {
  const { typed, listId } = field;
  const announce = useAnnounce();
  const [place, setPlace] = useState(0);
  const [said, setSaid] = useState('');
  const [placedFor, setPlacedFor] = useState(typed);
  if (placedFor !== typed) {
    setPlacedFor(typed);
    setPlace(0);
    setSaid('');
  }
  const { options, reads, missing } = useOptions(typed, listCommands, showParameter);
  const active = Math.min(place, options.length - 1);
  const idOf = (index: number) => `${listId}${index}`;
  const count = options.length === 1 ? '1 option' : (missing ?? `${options.length} options`);
  const status = useSettled(said === '' ? count : said, countDelayMs);

  const run = async (option: PaletteOption, stays: boolean) => {
    if (option.blockedBy !== undefined) return setSaid(option.blockedBy);
    if (!stays) {
      // The focus is back where it was before the command moves it.
      field.close();
      const sentence = await option.run();
      if (sentence) announce(sentence);
      return;
    }
    const sentence = await option.run();
    setSaid(sentence ?? `Done: ${option.words}.`);
  };

  usePaletteField(field, options.length > 0 ? idOf(active) : undefined, (event) => {
    if (event.isComposing) return;
    const option = options[active];
    if (event.key === 'Enter' && option && !event.repeat) {
      event.preventDefault();
      void run(option, event.ctrlKey || event.metaKey);
    }
    const next = placeAfter(event.key, active, options.length);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
  });

  return (
    <>
      {reads &&
        field.aside &&
        createPortal(
          <>
            Reads as{' '}
            {reads.map((word) => (
              <code key={word}>{word}</code>
            ))}
          </>,
          field.aside,
        )}
      <div className="pal-l" id={listId} role="listbox" aria-label="Commands">
        {groupsOf(options).map(({ group, from, inside }) => (
          <div key={group} role="group" aria-label={group}>
            <h3 aria-hidden>{group}</h3>
            {inside.map((option, index) => (
              <OptionRow
                key={option.id}
                id={idOf(from + index)}
                option={option}
                typed={typed}
                isActive={from + index === active}
                onPoint={() => setPlace(from + index)}
                onPick={(stays) => void run(option, stays)}
              />
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="none">{missing ?? 'No results. Try “temp 0.2” or “@name”.'}</p>}
      <footer>
        <KeyNames keys={[['↑', '↓']]} />
        <span>move</span>
        <KeyNames keys={[['Enter']]} />
        <span>run</span>
        <KeyNames keys={[['Mod', 'Enter']]} />
        <span>run and keep open</span>
        <span className="grow" />
        <span className="try">
          Try <code>temp 0.2</code>, <code>@</code>, <code>present</code>
        </span>
      </footer>
      <span role="status" className="vh">
        {status}
      </span>
      {said !== '' && <p className="pal-s">{said}</p>}
    </>
  );
}

interface OptionRowProps {
  id: string;
  option: PaletteOption;
  typed: string;
  isActive: boolean;
  onPoint: () => void;
  onPick: (stays: boolean) => void;
}

function OptionRow({ id, option, typed, isActive, onPoint, onPick }: OptionRowProps) {
  const Icon = icons[option.icon];
  const { words, note, now, keys, blockedBy } = option;
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={blockedBy !== undefined || undefined}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => {
        if (!isActive) onPoint();
      }}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => onPick(event.ctrlKey || event.metaKey)}
    >
      <Icon className="i" aria-hidden />
      <span className="t" dir="auto">
        <Marked words={words} typed={typed} />
      </span>
      <span className="m">{blockedBy ?? (now && now.length > 0 ? <Now values={now} /> : note)}</span>
      {isActive && blockedBy === undefined ? (
        <KeyNames keys={[['Enter']]} />
      ) : (
        keys && <KeyNames keys={keys} />
      )}
    </div>
  );
}

function Now({ values }: { values: readonly NowValue[] }) {
  return (
    <>
      now{' '}
      {values.map(({ letters, text }) => (
        <span key={`${letters.join('')}${text}`} className="now">
          {letters.map((letter) => (
            <LaneTile key={letter} letter={letter} />
          ))}
          {letters.length > 0 && <span className="vh">{letters.join(' and ')}</span>} {text}
        </span>
      ))}
    </>
  );
}

interface Group {
  group: string;
  from: number;
  inside: PaletteOption[];
}

/** The options come with those of a group beside each other. */
function groupsOf(options: readonly PaletteOption[]): Group[] {
  const groups: Group[] = [];
  options.forEach((option, index) => {
    const last = groups.at(-1);
    if (last?.group === option.group) last.inside.push(option);
    else groups.push({ group: option.group, from: index, inside: [option] });
  });
  return groups;
}

const page = 8;

function placeAfter(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, at + page);
  if (key === 'PageUp') return Math.max(0, at - page);
  return undefined;
}

/** Words with what was typed in bold, where they hold it. */
function Marked({ words, typed }: { words: string; typed: string }) {
  const wanted = typed
    .replace(/^@/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (wanted.length === 0) return words;
  // Only where a word begins: a letter inside of one says nothing.
  const pieces = words.split(new RegExp(`(?<![\\p{L}\\p{N}])(${wanted.join('|')})`, 'giu'));
  return pieces.map((piece, index) => (index % 2 === 1 ? <b key={index}>{piece}</b> : piece));
}

import { clsx } from 'clsx';
import { useState, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';

import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { useDebouncedValue } from '../../ui/hooks/use-debounced-value.ts';
import { SlidersHorizontal, Table2, type IconComponent } from '../../ui/icons.tsx';
import {
  AlignLeft,
  BookOpen,
  Bookmark,
  Box,
  ChevronRight,
  CircleSlash,
  CopyPlus,
  ListChecks,
  MessageSquare,
  PanelLeft,
  TextSearch,
} from '../../ui/late-icons.tsx';
import type { CurrentValue, PaletteCommand, PaletteOption } from './palette-option.ts';
import type { PaletteField } from './palette.tsx';
import { usePaletteOptions, type ShowParameter } from './use-palette-options.ts';

const icons: Record<PaletteOption['icon'], IconComponent> = {
  set: SlidersHorizontal,
  unset: CircleSlash,
  lane: CopyPlus,
  session: MessageSquare,
  message: TextSearch,
  about: BookOpen,
  model: Box,
  answer: AlignLeft,
  screen: PanelLeft,
  preset: Bookmark,
  embedding: Table2,
  trial: ListChecks,
  command: ChevronRight,
};

const countDelayMs = 300;

interface OptionsListProps {
  field: PaletteField;
  listCommands: () => PaletteCommand[];
  showParameter: ShowParameter;
}

/**
 * Options for the typed text: commands, models, sessions and settings, each with its effect. Enter closes the palette,
 * restores the focus and runs the option; with Ctrl or Cmd the palette stays open.
 */
export function OptionsList({ field, listCommands, showParameter }: OptionsListProps) {
  const { typedText, listId } = field;
  const announce = useAnnounce();
  const [requestedIndex, setRequestedIndex] = useState(0);
  const [resultMessage, setResultMessage] = useState('');
  const [lastTypedText, setLastTypedText] = useState(typedText);
  if (lastTypedText !== typedText) {
    setLastTypedText(typedText);
    setRequestedIndex(0);
    setResultMessage('');
  }
  const { options, interpretation, missingLaneMessage } = usePaletteOptions(
    typedText,
    listCommands,
    showParameter,
  );
  const activeIndex = Math.min(requestedIndex, options.length - 1);
  const getOptionId = (index: number) => `${listId}${index}`;
  const countText = options.length === 1 ? '1 option' : (missingLaneMessage ?? `${options.length} options`);
  const status = useDebouncedValue(resultMessage === '' ? countText : resultMessage, countDelayMs);

  const run = async (option: PaletteOption, shouldStayOpen: boolean) => {
    if (option.disabledReason !== undefined) return setResultMessage(option.disabledReason);
    if (!shouldStayOpen) {
      // Closing restores the focus before the command moves it.
      field.close();
      const sentence = await option.run();
      if (sentence) announce(sentence);
      return;
    }
    const sentence = await option.run();
    setResultMessage(sentence ?? `Done: ${option.label}.`);
  };

  const option = options[activeIndex];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && option && !event.repeat) {
      event.preventDefault();
      void run(option, event.ctrlKey || event.metaKey);
    }
    const nextIndex = getNextIndex(event.key, activeIndex, options.length);
    if (nextIndex === undefined) return;
    event.preventDefault();
    setRequestedIndex(nextIndex);
  };
  usePaletteField(field, option && getOptionId(activeIndex), onKeyDown, () => {
    if (option) void run(option, false);
  });

  return (
    <>
      {interpretation &&
        field.interpretationElement &&
        createPortal(
          <>
            Interpreted as{' '}
            {interpretation.map((word) => (
              <code
                key={word}
                className="ml-0.5 inline-block max-w-45 truncate rounded-1 bg-sunken px-1.25 py-0.5 align-middle font-mono text-mono-11 text-ink-2"
              >
                {word}
              </code>
            ))}
          </>,
          field.interpretationElement,
        )}
      <div
        className={clsx(
          'min-h-0 flex-1 scroll-p-2 [scrollbar-width:thin] overflow-y-auto overscroll-contain px-2 pt-1.5 pb-2.5',
          options.length === 0 && 'hidden',
        )}
        id={listId}
        role="listbox"
        aria-label="Commands"
      >
        {groupOptions(options).map(({ group, startIndex, options }) => (
          <div key={group} role="group" aria-label={group}>
            <h3 aria-hidden className="px-2.5 pt-2 pb-1 text-11 text-ink-3">
              {group}
            </h3>
            {options.map((option, index) => (
              <OptionRow
                key={option.id}
                id={getOptionId(startIndex + index)}
                option={option}
                typedText={typedText}
                isActive={startIndex + index === activeIndex}
                onPoint={() => setRequestedIndex(startIndex + index)}
                onPick={(shouldStayOpen) => void run(option, shouldStayOpen)}
              />
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <p className="flex-none px-4.5 py-3.5 text-13 text-ink-2">
          {missingLaneMessage ?? 'No results. Try “temp 0.2” or “@name”.'}
        </p>
      )}
      <footer className="order-2 flex min-h-9.5 flex-none items-center gap-1.5 border-t border-line bg-bench px-4 text-12 text-ink-3">
        <span className="flex gap-4 max-phone:hidden">
          <KeyHint keys={['↑', '↓']}>move</KeyHint>
          <KeyHint keys={['Enter']}>run</KeyHint>
          <KeyHint keys={['Mod', 'Enter']}>run, stay here</KeyHint>
        </span>
        <span className="min-w-0 flex-1" />
        <span>
          Try <code className="font-mono text-mono-11 text-ink-2">temp 0.2</code>,{' '}
          <code className="font-mono text-mono-11 text-ink-2">@</code>
          {', '}
          <code className="font-mono text-mono-11 text-ink-2">present</code>
        </span>
      </footer>
      <span role="status" className="sr-only">
        {status}
      </span>
      {resultMessage !== '' && (
        <p className="order-1 flex-none border-t border-line px-4.5 py-2 text-13 text-ink-2">
          {resultMessage}
        </p>
      )}
    </>
  );
}

/** Key combination and its effect. */
function KeyHint({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <KeyboardShortcut keys={[keys]} />
      <span>{children}</span>
    </span>
  );
}

interface OptionRowProps {
  id: string;
  option: PaletteOption;
  typedText: string;
  isActive: boolean;
  onPoint: () => void;
  onPick: (shouldStayOpen: boolean) => void;
}

function OptionRow({ id, option, typedText, isActive, onPoint, onPick }: OptionRowProps) {
  const Icon = icons[option.icon];
  const { label, note, currentValues, keys, disabledReason } = option;
  const visibleKeys = isActive && disabledReason === undefined ? [['Enter']] : keys;
  return (
    <button
      id={id}
      type="button"
      role="option"
      className={clsx(
        'relative flex min-h-9.5 w-full cursor-pointer items-center gap-3 rounded-2 px-2.5 py-1',
        'aria-disabled:cursor-default max-phone:min-h-11',
        isActive && 'bg-hover before:absolute before:inset-y-2.5 before:left-0 before:w-0.5 before:bg-needle',
        'forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]',
      )}
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={disabledReason !== undefined || undefined}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => {
        if (!isActive) onPoint();
      }}
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => onPick(event.ctrlKey || event.metaKey)}
    >
      <Icon className={clsx('icon-16', isActive ? 'text-ink' : 'text-ink-3')} aria-hidden />
      <span
        className={clsx(
          'min-w-2/5 text-[14px]/5 font-450 wrap-anywhere',
          disabledReason !== undefined && 'text-ink-3',
        )}
        dir="auto"
      >
        <HighlightedText text={label} typed={typedText} />
      </span>
      <span
        className={clsx(
          'min-w-0 flex-1 truncate text-right text-12 max-phone:whitespace-normal',
          isActive ? 'text-ink-2' : 'text-ink-3',
        )}
      >
        {disabledReason ??
          (currentValues && currentValues.length > 0 ? <CurrentValues values={currentValues} /> : note)}
      </span>
      {visibleKeys && (
        <span className="flex flex-none gap-3 whitespace-nowrap max-phone:hidden">
          <KeyboardShortcut keys={visibleKeys} />
        </span>
      )}
    </button>
  );
}

function CurrentValues({ values }: { values: readonly CurrentValue[] }) {
  return (
    <>
      now{' '}
      {values.map(({ letters, text }) => (
        <span
          key={`${letters.join('')}${text}`}
          className="ml-1 inline-flex items-center gap-0.75 align-bottom not-first:ml-2"
        >
          {letters.map((letter) => (
            <LaneTile key={letter} letter={letter} />
          ))}
          {letters.length > 0 && <span className="sr-only">{letters.join(' and ')}</span>} {text}
        </span>
      ))}
    </>
  );
}

interface OptionGroup {
  group: string;
  startIndex: number;
  options: PaletteOption[];
}

/** Groups the options; options of the same group must be adjacent. */
function groupOptions(options: readonly PaletteOption[]): OptionGroup[] {
  const groups: OptionGroup[] = [];
  options.forEach((option, index) => {
    const last = groups.at(-1);
    if (last?.group === option.group) last.options.push(option);
    else groups.push({ group: option.group, startIndex: index, options: [option] });
  });
  return groups;
}

const pageSize = 8;

function getNextIndex(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (index + 1) % count;
  if (key === 'ArrowUp') return (index - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, index + pageSize);
  if (key === 'PageUp') return Math.max(0, index - pageSize);
  return undefined;
}

/** Text with the typed words in bold. */
function HighlightedText({ text, typed: typedText }: { text: string; typed: string }) {
  const patterns = typedText
    .replace(/^@/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (patterns.length === 0) return text;
  // Only at the start of a word, because matches inside words are irrelevant.
  const pieces = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${patterns.join('|')})`, 'giu'));
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      <b key={index} className="font-650">
        {piece}
      </b>
    ) : (
      piece
    ),
  );
}

/**
 * Connects the options to the field: handles its keys and reports the active option. If Enter was pressed before the
 * options loaded, the active option runs once they have.
 */
function usePaletteField(
  { input, isEnterPending }: PaletteField,
  activeId: string | undefined,
  onKeyDown: (event: KeyboardEvent) => void,
  onPendingEnter: () => void,
): void {
  const runPendingEnter = useEffectEvent(onPendingEnter);
  useEffect(() => {
    if (!isEnterPending.current) return;
    isEnterPending.current = false;
    runPendingEnter();
  }, [isEnterPending]);
  useLayoutEffect(() => {
    if (activeId === undefined) input.current?.removeAttribute('aria-activedescendant');
    else input.current?.setAttribute('aria-activedescendant', activeId);
  }, [input, activeId]);
  useLayoutEffect(() => {
    const field = input.current;
    field?.addEventListener('keydown', onKeyDown);
    return () => field?.removeEventListener('keydown', onKeyDown);
  });
}

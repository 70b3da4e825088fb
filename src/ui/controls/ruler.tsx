import type { KeyboardEvent, ReactNode } from 'react';

import { positionOf, steppedOnRuler, ticksOf, valueAt, type RulerScale } from './ruler-scale.ts';
import type { NumberSteps } from './step-number.ts';

import './ruler.css';

interface RulerProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  ruler: RulerScale;
  steps: NumberSteps;
  /** Where the hollow triangle stands. */
  defaultValue?: number | undefined;
  /** Double-click. */
  onReset: () => void;
  describedBy?: string | undefined;
  /** Drawn over the scale, for example flags. */
  children?: ReactNode;
}

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
/** Fine enough for every step of a log scale that a pointer can reach. */
const logSteps = 4096;

/** A native range input on a scale with ticks and labels. Arrows step like the number field's; on a log scale Page keys double and halve. */
export function Ruler({
  label,
  value,
  onChange,
  ruler,
  steps,
  defaultValue,
  onReset,
  describedBy,
  children,
}: RulerProps) {
  const isLog = ruler.scale === 'log';
  const native = isLog
    ? { min: 0, max: logSteps, step: 1, value: Math.round(positionOf(ruler, value) * logSteps) }
    : { min: ruler.from, max: ruler.to, step: steps.step, value };

  const onKeyDown = (event: KeyboardEvent) => {
    const stepped = steppedOnRuler(ruler, steps, value, event);
    if (stepped === undefined) return;
    event.preventDefault();
    onChange(stepped);
  };

  return (
    <div className="ruler">
      <RulerFace ruler={ruler} step={steps.step} defaultValue={defaultValue} />
      {children}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={isLog ? format.format(value) : undefined}
        aria-describedby={describedBy}
        {...native}
        onInput={(event) => {
          const moved = event.currentTarget.valueAsNumber;
          onChange(isLog ? valueAt(ruler, moved / logSteps, steps.step) : moved);
        }}
        onKeyDown={onKeyDown}
        onDoubleClick={onReset}
      />
    </div>
  );
}

interface RulerFaceProps {
  ruler: RulerScale;
  step: number;
  /** Where the hollow triangle stands. */
  defaultValue: number | undefined;
}

/** The scale alone: its line, ticks and labels. */
export function RulerFace({ ruler, step, defaultValue }: RulerFaceProps) {
  return (
    <svg aria-hidden="true">
      <line className="ruler-axis" x1="0" x2="100%" y1="22.5" y2="22.5" />
      {ticksOf(ruler, step).map(({ position, long }) => (
        <line
          key={position}
          className="ruler-axis"
          x1={percent(position)}
          x2={percent(position)}
          y1="22"
          y2={long ? 28 : 25.5}
        />
      ))}
      {ruler.labels.map((labelled) => (
        <ScaleLabel key={labelled} text={format.format(labelled)} position={positionOf(ruler, labelled)} />
      ))}
      {defaultValue !== undefined && (
        <svg x={percent(positionOf(ruler, defaultValue))} overflow="visible">
          <path className="fill-raised stroke-edge" d="M-3 20.5h7l-3.5 -5.5z" />
        </svg>
      )}
    </svg>
  );
}

function percent(position: number): string {
  return `${position * 100}%`;
}

/** Long labels at the ends stay within the ruler's width. */
function ScaleLabel({ text, position }: { text: string; position: number }) {
  const end = text.length > 2 ? position : 0.5;
  const anchor = end === 0 ? 'start' : end === 1 ? 'end' : 'middle';
  const shiftPx = { start: -6, middle: 0, end: 6 }[anchor];
  return (
    <text
      className="fill-ink-3 font-sans text-[10.5px] font-450 [word-spacing:0]"
      x={percent(position)}
      y="39"
      dx={shiftPx}
      textAnchor={anchor}
    >
      {text}
    </text>
  );
}

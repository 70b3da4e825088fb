import { clsx } from 'clsx';
import type { KeyboardEvent, ReactNode } from 'react';

import type { NumberSteps } from '../../ui/controls/step-number.ts';
import { toPosition, stepRulerValue, buildRulerTicks, toValue, type RulerScale } from './ruler-scale.ts';

import './ruler.css';

interface RulerProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  ruler: RulerScale;
  steps: NumberSteps;
  /** Value marked by the hollow triangle. */
  defaultValue?: number | undefined;
  /** Called on double-click. */
  onReset: () => void;
  describedBy?: string | undefined;
  /** Drawn over the scale, for example flags. */
  children?: ReactNode;
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
/** Number of steps of a log scale, fine enough for every position that a pointer can reach. */
const logSteps = 4096;

/**
 * A native range input on a scale with ticks and labels. Arrow keys step as in the number field; Page keys double and
 * halve on a log scale.
 */
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
  const inputProps = isLog
    ? { min: 0, max: logSteps, step: 1, value: Math.round(toPosition(ruler, value) * logSteps) }
    : { min: ruler.from, max: ruler.to, step: steps.step, value };

  const onKeyDown = (event: KeyboardEvent) => {
    const nextValue = stepRulerValue(ruler, steps, value, event);
    if (nextValue === undefined) return;
    event.preventDefault();
    onChange(nextValue);
  };

  return (
    <div className="group/ruler relative mr-1.75 h-[41px]">
      <RulerFace ruler={ruler} step={steps.step} defaultValue={defaultValue} />
      {children}
      <input
        type="range"
        className={clsx(
          'ruler-input absolute top-[3px] left-0 m-0 h-[31px] w-full cursor-pointer touch-pan-y appearance-none bg-none',
          'focus-visible:outline-offset-0 forced-colors:[--thumb:CanvasText]',
          // Flags mark the values of the lanes, so the thumb is visible only in use.
          'group-not-[:hover,:focus-within]/ruler:group-has-data-flag/ruler:[--thumb-opacity:0]',
        )}
        aria-label={label}
        aria-valuetext={isLog ? numberFormat.format(value) : undefined}
        aria-describedby={describedBy}
        {...inputProps}
        onInput={(event) => {
          const inputValue = event.currentTarget.valueAsNumber;
          onChange(isLog ? toValue(ruler, inputValue / logSteps, steps.step) : inputValue);
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
  /** Value marked by the hollow triangle. */
  defaultValue: number | undefined;
}

/** The scale alone: line, ticks and labels. */
export function RulerFace({ ruler, step, defaultValue }: RulerFaceProps) {
  return (
    <svg
      className="pointer-events-none absolute top-0 left-1.5 h-[41px] w-[calc(100%-12px)] overflow-visible"
      aria-hidden="true"
    >
      <g className="fill-none stroke-edge stroke-1 [shape-rendering:crispEdges]">
        <line x1="0" x2="100%" y1="22.5" y2="22.5" />
        {buildRulerTicks(ruler, step).map(({ position, isLong }) => (
          <line
            key={position}
            x1={toPercent(position)}
            x2={toPercent(position)}
            y1="22"
            y2={isLong ? 28 : 25.5}
          />
        ))}
      </g>
      {ruler.labels.map((labelValue) => (
        <ScaleLabel
          key={labelValue}
          text={numberFormat.format(labelValue)}
          position={toPosition(ruler, labelValue)}
        />
      ))}
      {defaultValue !== undefined && (
        <svg x={toPercent(toPosition(ruler, defaultValue))} overflow="visible">
          <path className="fill-raised stroke-edge" d="M-3 20.5h7l-3.5 -5.5z" />
        </svg>
      )}
    </svg>
  );
}

function toPercent(position: number): string {
  return `${position * 100}%`;
}

/** Long labels at the ends are aligned inwards to stay within the ruler. */
function ScaleLabel({ text, position }: { text: string; position: number }) {
  const end = text.length > 2 ? position : 0.5;
  const anchor = end === 0 ? 'start' : end === 1 ? 'end' : 'middle';
  const shiftPx = { start: -6, middle: 0, end: 6 }[anchor];
  return (
    <text
      className="fill-ink-3 font-sans text-[10.5px] font-450 [word-spacing:0]"
      x={toPercent(position)}
      y="39"
      dx={shiftPx}
      textAnchor={anchor}
    >
      {text}
    </text>
  );
}

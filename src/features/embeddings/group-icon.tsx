const paths = [
  'M6 1.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4z',
  'M2.2 2.2h7.6v7.6h-7.6z',
  'M6 1.6l4.6 8.2h-9.2z',
  'M6 .8l5.2 5.2l-5.2 5.2l-5.2-5.2z',
];
const iconClasses = 'inline-block size-3 flex-none';
const colors = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Icon with the shape and colour of a group, as on the map; a blank of the same size without a group. */
export function GroupIcon({ group, name }: { group: number | undefined; name: string | undefined }) {
  if (group === undefined || group < 0) return <span className={iconClasses} />;
  return (
    <svg
      className={`${iconClasses} fill-(--group)`}
      viewBox="0 0 12 12"
      role="img"
      aria-label={name ?? `Group ${group + 1}`}
      style={{ '--group': `var(--lane-${colors[group % colors.length]})` }}
    >
      <path d={paths[group % paths.length]} />
    </svg>
  );
}

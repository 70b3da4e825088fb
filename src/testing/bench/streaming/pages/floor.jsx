import { runPage } from './page.mjs';

/** The floor: text as it is, one element a line. Only the last line is ever written to again. */
runPage((home) => {
  let drawn = 0;
  let line = home.appendChild(document.createElement('div'));
  return (text) => {
    const pieces = text.slice(drawn).split('\n');
    drawn = text.length;
    pieces.forEach((piece, index) => {
      if (index > 0) line = home.appendChild(document.createElement('div'));
      if (piece !== '') line.append(piece);
    });
  };
});

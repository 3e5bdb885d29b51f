/**
 * Colours of both themes. Blue is toward the target and orange away from it, a pair that people with any
 * colour vision tell apart; every use of them comes with a sign, a shape or a word as well.
 */
export const THEME = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f5f6f8; --line: #dde1e6; --ink: #16191d; --muted: #565e68;
  --accent: #0a5aa0; --pos: #0b5fa5; --neg: #a8430b; --still: #767e88; --second: #7a3e9d;
  --warn-bg: #fff3dc; --warn-line: #d99a1c; --warn-ink: #5a3c00;
  --ins-bg: #d8f0e6; --ins-ink: #0b4a36; --del-bg: #f3e3ee; --del-ink: #6b2050; --ins-line: #2f9a74; --del-line: #b05a93;
  --p1: #d7e7f6; --p1-ink: #16191d; --p2: #8dbfe9; --p2-ink: #0d1a26; --p3: #0b5fa5; --p3-ink: #ffffff;
  --n1: #fbe2d0; --n1-ink: #16191d; --n2: #f2a873; --n2-ink: #2a1404; --n3: #a8430b; --n3-ink: #ffffff;
  --z: #e7eaee; --z-ink: #16191d;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bg: #121519; --panel: #1b1f25; --line: #323942; --ink: #e9ecf0; --muted: #a3abb6;
    --accent: #7fbcf5; --pos: #79bbf7; --neg: #ff9f63; --still: #8b939e; --second: #cf9bea;
    --warn-bg: #33290f; --warn-line: #b98a22; --warn-ink: #f6dfa8;
    --ins-bg: #123d30; --ins-ink: #b9f0da; --del-bg: #46203a; --del-ink: #f4c6e2; --ins-line: #35a57e; --del-line: #b8659c;
    --p1: #15304a; --p1-ink: #e9ecf0; --p2: #255f94; --p2-ink: #ffffff; --p3: #8cc6fa; --p3-ink: #0d1a26;
    --n1: #45280f; --n1-ink: #f3e8df; --n2: #96501a; --n2-ink: #ffffff; --n3: #ffb37f; --n3-ink: #2a1404;
    --z: #2a3038; --z-ink: #e9ecf0;
  }
}
@media print {
  :root { color-scheme: light; }
}
`;

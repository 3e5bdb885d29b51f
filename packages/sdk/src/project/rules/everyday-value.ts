const WORDS = new Set(
  (
    "required optional none null nil undefined true false yes no invalid incorrect missing wrong reset expired changed unknown hidden " +
    "redacted removed masked omitted empty set unset default string str text int integer number float bool boolean bytes any object " +
    "list dict array value values var variable field input prompt the a an is was are be not and or of for in to from with if it this that " +
    "your my our their please must should can may will here there protected policy policies manager flow login username user email " +
    "authentication authorized unauthorized denied failed ok error test password token secret key auth " +
    "erforderlich vergessen falsch ungültig zurücksetzen geändert benötigt abgelaufen passwort kennwort xxx xxxx todo tbd n/a na example"
  ).split(" "),
);

/** True for a value that stands where a secret would but is none: a word of prose or code, a variable, a template, a mask. */
export function isPlaceholderWord(value: string): boolean {
  if (WORDS.has(value.toLowerCase())) return true;
  if (/^[$%<{[(]/.test(value)) return true;
  if (/^[*x.•_-]{3,}$/i.test(value)) return true;
  return /^(?:your|my|some|the|insert|enter|replace|example)[-_ ]/i.test(value) && !/\d/.test(value);
}

const OBJECTS =
  /^(?:self|this|cls|args|kwargs|argv|config|conf|cfg|settings|os|sys|process|env|environ|opts|options|params|props|state|ctx|context|request|req|res|response|data|user|account|app|client|session|form|secrets|creds|credentials|st|np|re|json|crypto|hashlib|getpass|base64|tokenizer|nlp|doc|model)$/i;

/** True for source code that computes a value: a call, an index, an attribute path of a usual object. */
export function isCode(value: string, next: string): boolean {
  const path = /^([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*/.exec(value);
  if (path === null) return false;
  const after = value.charAt(path[0].length) || next;
  if (after === "(" || after === "[") return true;
  return path[0].length === value.length && value.includes(".") && OBJECTS.test(path[1] ?? "");
}

/**
 * True for a value that an everyday name explains: the working directory under `PWD`, and under
 * `Bearer`, as forms of banks call the holder's column, a security's number (ISIN, ISO 6166).
 */
export function isExplained(name: string, value: string): boolean {
  if (/^(?:old)?pwd$/i.test(name))
    return /^(?:[A-Za-z]:?|(?:~|\.{0,2}\/|[A-Za-z]:[\\/])[\w./\\~ -]*)$/.test(value);
  return /^bearer$/i.test(name) && /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(value);
}

/** Numbers texts in order of appearance. A Map, since ids and step types come from outside. */
export function createNumbering(): { names: string[]; number(name: string): number } {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  return {
    names,
    number(name) {
      let number = numbers.get(name);
      if (number === undefined) {
        number = names.push(name) - 1;
        numbers.set(name, number);
      }
      return number;
    },
  };
}

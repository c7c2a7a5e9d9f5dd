"""Reader for SGF: converts the tree of a game to the data of a record, with the place of every part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from hexrec.formats import base
from hexrec.formats.places import Places
from hexrec.formats.sgf.grammar import Node, Property, PropertyError, decode, parse, simple_value
from hexrec.formats.sgf.properties import MARKUP, MOVE, Raw, read_move
from hexrec.formats.sgf.result import read_margin, result_meaning
from hexrec.formats.sgf.root import ROOT_PATHS, STONES, STONES_AND_SIDE, read_root
from hexrec.formats.sgf.time_control import TIME
from hexrec.rules import games
from hexrec.rules.position_text import first_to_play
from hexrec.util.diagnostics import pointer_to, shorten

#: Maximum depth of variations, at which the data keeps the maximum depth of records.
_DEEPEST = 32
#: The properties that set stones or the side to move.
SETUP = ("AB", "AW", "AE", "PL")
COLORS = "BW"
#: The extension fields for nodes without a move, and for trees that begin with one.
KEPT_NODES, KEPT_TREES = "x-sgf-nodes", "x-sgf-trees"
#: The property of the node of the illegal turn that lost a game, and all properties of such a node.
ILLEGAL = "HI"
_ILLEGAL_NODE = frozenset({"B", "W", "KO", ILLEGAL})
#: Turns that need no escapes and no checks.
PLAIN = re.compile(r"[a-z0-9/(),-]+")


def documents(raw: bytes, line: int, column: int) -> Iterator[base.Document]:
    """Yield the document of one game, given its bytes and the line and column at which they begin."""
    game, warnings = decode(raw.removeprefix(base.BYTE_ORDER_MARK), line, column)
    if raw.startswith(base.BYTE_ORDER_MARK):
        message = "there is a byte-order mark before the first game"
        warnings.append(game.warning("syntax/sgf-mark", message, 0, 1))
    try:
        reading = _Reading(game)
        data = reading.record()
    except base.FormatError as bad:
        yield base.Document(error=bad.error, text=bad.text, warnings=tuple(warnings))
        return
    warnings += reading.warnings.diagnostics("syntax/more")
    yield base.Document(data, None, partial(_find_places, game), game, tuple(warnings), "sgf")


def _find_places(game: base.LocatedText, pointers: Iterable[str] | None = None) -> Places:
    places = Places(pointers)
    _Reading(game, places).record()
    return places


class _Reading:
    """Converts the tree of a game to a record in one walk, and stores places on request."""

    def __init__(self, game: base.LocatedText, places: Places | None = None) -> None:
        self._root, self.warnings = parse(game)
        self._game = game
        self._places = places
        self._passes = False

    def record(self) -> dict[str, Any]:
        """Return the data of the record. Raises FormatError for data that no record can have."""
        root = self._root
        if self._places:
            self._places.value = self._game.span(root.opened, root.closed)
        color = self._color(root)
        if color is not None:
            message = "not SGF: the first node should have no move: put a semicolon before it"
            move_property = root.properties[color]
            raise self._game.error("syntax/sgf", message, move_property.start, move_property.end)
        data = self._read(read_root, root.raw, root)
        self._check_head(root, data)
        paths = ROOT_PATHS
        if "setup" in data and "opening" not in data:
            paths = paths | dict.fromkeys(STONES_AND_SIDE, ("setup",))
        self._mark_all(root, "", paths, data)
        game = data.get("game")
        self._passes = games.is_known(game) and "pass" in games.get(game).turn
        lost = self._take_illegal(root)
        data["moves"] = self._line(root.children, first_to_play(data.get("setup")), "/moves", 0, data)
        if lost is not None:
            self._read_illegal(lost, data)
        return data

    def _take_illegal(self, root: Node) -> Node | None:
        """Remove the node of the illegal turn that lost the game from the end of the main line, and return it."""
        parent, node = root, root
        while node.children:
            parent, node = node, node.children[0]
        names = node.properties.keys()
        if ILLEGAL not in names or not names <= _ILLEGAL_NODE or not self._color(node) or len(parent.children) > 1:
            return None
        return parent.children.pop()

    def _read_illegal(self, node: Node, data: dict[str, Any]) -> None:
        """Add the illegal turn in a node to the result. Raises FormatError if it contradicts the one in `HR`."""
        prop = node.properties["B" if "B" in node.properties else "W"]
        illegal = {"turn": simple_value(prop.values[0]), "by": "black" if "B" in node.properties else "white"}
        result = data.setdefault("result", {})
        known = result.setdefault("illegal", illegal) if isinstance(result, dict) else None
        if not isinstance(known, dict) or any(known.get(name) != value for name, value in illegal.items()):
            message = "this illegal turn contradicts the result in HR: keep the one that is right"
            raise self._game.error("syntax/sgf-result", message, *prop.place())
        if known is illegal:
            result["termination"] = "illegal"
        if self._places:
            self._places.fill("/result/illegal/turn", self._game.span(*prop.place()))

    def _check_head(self, root: Node, data: dict[str, Any]) -> None:
        prop = root.properties.get("FF")
        if prop is None or prop.values[0].strip() != "4":
            place = (prop.start, prop.end) if prop else (root.start, root.start + 1)
            version = f"FF[{shorten(prop.values[0], 20)}]" if prop else "no FF"
            self.warnings.add(self._game.warning("syntax/sgf-version", f"{version}: read as FF[4]", *place))
        prop = root.properties.get("GM")
        game = games.get(data["game"]) if games.is_known(data.get("game")) else None
        number = game.sgf_number if game else None
        if prop and number is not None and prop.values[0].strip() != str(number):
            message = f"GM should be {number} for {data['game']}, not {shorten(prop.values[0], 20)}"
            self._warn("syntax/sgf-number", message, prop)
        prop = root.properties.get("RE")
        if prop:
            value = simple_value(prop.values[0])
            text = shorten(value, 30)
            if result_meaning(value) is None and prop.values[0].strip() not in ("", "?"):
                self._warn("convert/sgf-result", f"RE[{text}] is not a result that FF[4] has: kept as it is", prop)
            if read_margin(value) and game and game.score != "number":
                message = f"a win in {game.title} has no margin, and RE[{text}] gives one: read as a win"
                self._warn("convert/sgf-result", message, prop)
        for name, prop in root.properties.items():
            if name in ROOT_PATHS and len(prop.values) > 1 and name not in STONES:
                self._warn_repeated(name, prop)

    def _line(self, nodes: list[Node], ply: int, pointer: str, depth: int, owner: dict[str, Any]) -> list[Any]:
        """Return the moves of a line that begins with the first of some nodes; the others are its variations.

        Nodes before the first move are preserved in `owner`.
        """
        if depth > _DEEPEST:
            message = f"more than {_DEEPEST} levels of variations"
            raise self._game.error("syntax/too-deep", message, nodes[0].start, nodes[0].start + 1)
        moves: list[Any] = []
        waiting: list[Node] = []
        while nodes:
            node = nodes[0]
            for other in nodes[1:]:
                if "B" in other.properties or "W" in other.properties:
                    waiting.append(other)
                else:
                    message = "this variation begins without a move: it is kept as it is"
                    self._warn("convert/sgf-node", message, other)
                    self._keep(KEPT_TREES, other, moves, owner)
            expected = COLORS[(ply + len(moves)) % 2]
            move_property = node.properties.get(expected)
            if not waiting and move_property and len(node.properties) == 1 and self._is_plain(move_property):
                moves.append(move_property.values[0])
            elif color := self._color(node):
                here = f"{pointer}/{len(moves)}"
                move = self._move(node, color, ply + len(moves), here)
                moves.append(self._with_variations(move, waiting, ply + len(moves), here, depth))
                waiting = []
            else:
                self._put_aside(node, moves, owner, depth)
            nodes = node.children
        for other in waiting:
            self._keep(KEPT_TREES, other, moves, owner)
        return moves

    def _is_plain(self, prop: Property) -> bool:
        """Return whether a move is only a turn, and no places are requested."""
        return self._places is None and len(prop.values) == 1 and PLAIN.fullmatch(prop.values[0]) is not None

    def _color(self, node: Node) -> str | None:
        """Return the color of the move in a node, if it has a move. Raises FormatError for moves of both colors."""
        colors = [name for name in COLORS if name in node.properties]
        if len(colors) > 1:
            second = node.properties[colors[1]]
            message = "not SGF: this node has two moves: put a semicolon before the second"
            raise self._game.error("syntax/sgf", message, second.start, second.end)
        return colors[0] if colors else None

    def _with_variations(self, move: Any, others: list[Node], ply: int, pointer: str, depth: int) -> Any:
        """Return a move with the lines that begin with `others` appended to its variations."""
        if not others:
            return move
        data: dict[str, Any] = move if isinstance(move, dict) else {"turn": move}
        lines = list(self._get_list(data, "variations", others[0])) if "variations" in data else []
        for other in others:
            here = f"{pointer}/variations/{len(lines)}"
            lines.append(self._line([other], ply, here, depth + 1, data))
        return data | {"variations": lines}

    def _put_aside(self, node: Node, moves: list[Any], owner: dict[str, Any], depth: int) -> None:
        if not node.properties:
            self._warn("syntax/sgf-empty-node", "this node has no properties: skipped", node)
            return
        setup = next((node.properties[name] for name in SETUP if name in node.properties), None)
        if setup and not depth:
            message = "stones are set after the game has begun: a record cannot represent that"
            raise self._game.error("syntax/sgf-setup", message, setup.start, setup.end)
        self._warn("convert/sgf-node", "this node has no move: it is kept as it is", node)
        self._keep(KEPT_NODES, node, moves, owner)

    def _keep(self, name: str, node: Node, moves: list[Any], owner: dict[str, Any]) -> None:
        """Preserve the text of a node or tree in the last move, or in `owner` before the first move."""
        start, end = (node.start, node.end) if name == KEPT_NODES else (node.opened, node.closed)
        text = self._game.text[start:end]
        if moves and not isinstance(moves[-1], dict):
            moves[-1] = {"turn": moves[-1]}
        self._get_list(moves[-1] if moves else owner, name, node).append(text)

    def _get_list(self, holder: dict[str, Any], name: str, node: Node) -> list[Any]:
        """Return the array in a field that takes a node. Raises FormatError if `HJ` has set another type."""
        held = holder.setdefault(name, [])
        if not isinstance(held, list):
            message = f"HJ should have an array as {name}, which takes this node as well"
            raise self._game.error("syntax/sgf", message, node.start, node.end)
        return held

    def _move(self, node: Node, color: str, ply: int, pointer: str) -> Any:
        """Return the move of a node."""
        expected = COLORS[ply % 2]
        move_property = node.properties[color]
        if color != expected:
            message = f"{color}[{shorten(move_property.values[0], 20)}] is read as {expected}: the colors alternate"
            self._warn("syntax/sgf-colour", message, move_property)
        text = move_property.values[0]
        if len(move_property.values) > 1:
            self._warn_repeated(color, move_property)
        if self._places:
            self._places.fill(f"{pointer}/turn", self._game.span(*move_property.place()))
        if not text and self._passes:
            text = "pass"
        if len(node.properties) == 1 and PLAIN.fullmatch(text):
            return text
        raw = {name: other.values for name, other in node.properties.items() if name not in COLORS}
        data = self._read(partial(read_move, color=expected), raw | {expected: [text]}, node)
        paths = {name: field.path for name, field in MOVE[expected].items()}
        self._mark_all(node, pointer, paths, data)
        return data if data.keys() != {"turn"} else data["turn"]

    def _read(self, reader: Callable[[Raw], dict[str, Any]], raw: Raw, node: Node) -> dict[str, Any]:
        try:
            return reader(raw)
        except PropertyError as error:
            prop = node.properties.get(error.name)
            place = prop.place(error.index) if prop else (node.opened, node.opened + 1)
            raise self._game.error(error.code, str(error), *place) from None

    def _warn_repeated(self, name: str, prop: Property) -> None:
        message = f"{name} should have one value: the first is read"
        self.warnings.add(self._game.warning("syntax/sgf-repeated", message, *prop.place(1)))

    def _warn(self, code: str, message: str, part: Node | Property) -> None:
        self.warnings.add(self._game.warning(code, message, part.start, part.end))

    def _mark_all(
        self, node: Node, pointer: str, paths: Mapping[str, tuple[str, ...]], data: Mapping[str, Any]
    ) -> None:
        if self._places is None:
            return
        for name, prop in node.properties.items():
            kept = data.get("x-sgf")
            field = "marks" if name in MARKUP else "time_control" if name in TIME and not pointer else "x-sgf"
            is_kept = isinstance(kept, dict) and name in kept
            path = paths.get(name, ("x-sgf", name) if field == "x-sgf" or is_kept else (field,))
            for place in {path, ("x-sgf", name)} if is_kept else {path}:
                self._places.fill(pointer + pointer_to(place), self._game.span(*prop.place()))
        around = self._places.at(pointer)
        for name, part in (("HR", {"result": data.get("result")}), ("HJ", data)):
            if around is not None and name in node.properties and (name == "HJ" or not pointer):
                around.cover(part, self._game.span(*node.properties[name].place()))

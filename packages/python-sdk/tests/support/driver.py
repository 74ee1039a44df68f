"""Calls the client as the lines of the standard input say, and prints what each call returns."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any

from lectern_sdk import AsyncLectern, Lectern, UploadFile
from lectern_sdk._sse import EventParser


create_connection = socket.create_connection


def connect_without_delay(*args: Any, **kwargs: Any) -> socket.socket:
    """Earlier versions of httpx wait 40 ms between the headers and the body of a request."""
    connection = create_connection(*args, **kwargs)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


socket.create_connection = connect_without_delay


def method_of(lectern: Any, path: str) -> Any:
    target = lectern
    for name in path.split("."):
        target = getattr(target, name)
    return target


def arguments(command: Any) -> Any:
    options = command.get("options")
    if command["method"] == "files.upload":
        connector, files = command["args"]
        command["args"] = [connector, [UploadFile(**file) for file in files]]
    return command["args"], {**command["kwargs"], **({"options": options} if options else {})}


def call(lectern: Lectern, command: Any) -> Any:
    args, kwargs = arguments(command)
    result = method_of(lectern, command["method"])(*args, **kwargs)
    if hasattr(result, "page"):
        list(result)
        return result.page().items
    return list(result) if hasattr(result, "__next__") else result


async def call_async(lectern: AsyncLectern, command: Any) -> Any:
    args, kwargs = arguments(command)
    result = method_of(lectern, command["method"])(*args, **kwargs)
    if hasattr(result, "page"):
        [item async for item in result]
        return (await result.page()).items
    return [event async for event in result] if hasattr(result, "__anext__") else await result


def parse(chunks: list[str]) -> Any:
    parser = EventParser()
    events = [event for chunk in chunks for event in parser.feed(bytes.fromhex(chunk))]
    return [{"event": event.event, "data": event.data, "id": event.id} for event in events]


async def main() -> None:
    settings = json.loads(sys.stdin.readline())
    with Lectern(**settings) as lectern:
        async with AsyncLectern(**settings) as async_lectern:
            for line in sys.stdin:
                command = json.loads(line)
                try:
                    if "chunks" in command:
                        result = parse(command["chunks"])
                    elif command["async"]:
                        result = await call_async(async_lectern, command)
                    else:
                        result = call(lectern, command)
                    answer = {"result": result}
                except Exception as error:
                    answer = {"error": f"{type(error).__name__}: {error}"}
                print(json.dumps(answer), flush=True)


asyncio.run(main())

"""Compiles C# as csc does, whose options it takes: the .NET runtime comes without a compiler.

The first two arguments are the folders of the runtime and of the compiler's libraries.
"""

import glob
import os
import sys

import clr_loader
import pythonnet

runtime, compiler, *options = sys.argv[1:]
pythonnet.load(clr_loader.get_coreclr(runtime_config="runtimeconfig.json", dotnet_root=runtime))

import clr

for library in "Microsoft.CodeAnalysis", "Microsoft.CodeAnalysis.CSharp":
    clr.AddReference(os.path.join(compiler, library))

from Microsoft.CodeAnalysis import DiagnosticSeverity, FileSystemExtensions, MetadataReference, SyntaxTree
from Microsoft.CodeAnalysis.CSharp import CSharpCommandLineParser, CSharpCompilation, CSharpSyntaxTree
from System import Array, String


def read(file, how):
    with open(file, encoding="utf-8-sig") as text:
        return CSharpSyntaxTree.ParseText(text.read(), how, file)


libraries = glob.glob(f"{runtime}/shared/Microsoft.NETCore.App/*/*.dll")
options += ["-nostdlib", *(f"-reference:{library}" for library in libraries)]
asked = CSharpCommandLineParser.Default.Parse(Array[String](options), os.getcwd(), None)
sources = [read(source.Path, asked.ParseOptions) for source in asked.SourceFiles]
references = [MetadataReference.CreateFromFile(used.Reference) for used in asked.MetadataReferences]
compilation = CSharpCompilation.Create(
    asked.CompilationName, Array[SyntaxTree](sources), Array[MetadataReference](references), asked.CompilationOptions
)
result = FileSystemExtensions.Emit(compilation, os.path.join(asked.OutputDirectory, asked.OutputFileName))
for found in [*asked.Errors, *result.Diagnostics]:
    if found.Severity != DiagnosticSeverity.Hidden:
        print(found, file=sys.stderr)
sys.exit(bool(asked.Errors.Length) or not result.Success)

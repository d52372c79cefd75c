# Spack: `spack repo create tutti-repo`, put this into tutti-repo/packages/tutti/package.py, then
# `spack repo add tutti-repo`, `spack dev-build tutti@main` in the sources. docs/how-to/build.md says more.
from spack.package import *


class Tutti(CMakePackage):
    """Finds, proves and hands over the best way to run MPI collectives."""

    # The address of the release is the site's: url = "https://HOST/PATH/tutti-0.1.0.tar.gz" and its sha256.
    license("MIT")

    version("0.1.0")
    version("main")

    variant("smpi", default=True, description="Simulation by SimGrid SMPI")
    variant("mpi", default="none", values=("none", "mpich", "openmpi"), description="MPI library to measure")
    variant("plots", default=True, description="gnuplot for maps")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+smpi")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libxml2")
    depends_on("libyaml")
    depends_on("sqlite@3")
    depends_on("nettle")
    depends_on("libarchive")
    depends_on("croaring")
    depends_on("buddy")
    depends_on("bzip2")
    depends_on("simgrid+smpi", when="+smpi")
    depends_on("mpich", when="mpi=mpich")
    depends_on("openmpi", when="mpi=openmpi")
    depends_on("gnuplot", type="run", when="+plots")

    generator("ninja")

    def cmake_args(self):
        flavors = ["smpi"] if self.spec.satisfies("+smpi") else []
        if not self.spec.satisfies("mpi=none"):
            flavors.append(self.spec.variants["mpi"].value)
        return [
            self.define("BUILD_TESTING", False),
            self.define("TUTTI_FLAVORS_WANTED", ";".join(flavors) or "none"),
        ]
